import { SiteSettings } from "@slipway/domain/forge/base"
import {
  addressKey,
  addressOf,
  OpenIdProvider,
  type ProtocolAnswer,
  type ProtocolPage,
  type ProtocolRequest,
  type SignInOutcome
} from "@slipway/domain/forge/identity"
import { countAttempt, countTry, refuseSlowed } from "@slipway/forge/identity"
import { Effect } from "effect"
import { Cookies, HttpRouter, HttpServerResponse } from "effect/http"
import { type Html, html, page, problemLine } from "../../../pages/html.ts"
import {
  type Browser,
  beginSession,
  browser,
  formField,
  formText,
  readForm,
  setBrowserCookie,
  signIn,
  signInFailureMessage,
  withSession
} from "./browser.ts"
import { scopeSentences } from "./scopes.ts"
import { answerFailures, credentialsIn, signInPage } from "./signIn.ts"

const interactionPath = "/login/oauth/interaction/:id"
const devicePath = "/login/device"
const deviceCodePath = "/login/device/code"

/** The OAuth2 paths for client programs; they ignore cookies, so pages of other sites may call them. */
export const programPaths = [
  "/.well-known/openid-configuration",
  "/login/oauth/access_token",
  "/login/oauth/introspect",
  "/login/oauth/keys",
  "/login/oauth/revoke",
  "/login/oauth/userinfo",
  deviceCodePath
] as const

const browserPaths = ["/login/oauth/authorize", "/login/oauth/authorize/:id", devicePath, "/login/device/:id"] as const

/** Replaces the scheme `token`, which Gitea clients use in `Authorization`, by the standard scheme `Bearer`. */
const withBearer = <H extends Readonly<Record<string, string | undefined>>>(headers: H): H => {
  const token = /^token +(.+)$/i.exec(headers["authorization"] ?? "")?.[1]
  return token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` }
}

const requestOf = (asking: Browser, body: string, userId = asking.entered?.actor.user?.id): ProtocolRequest => ({
  rootUrl: asking.rootUrl,
  method: asking.request.method,
  target: asking.request.url,
  headers: withBearer(asking.request.headers),
  body,
  userId
})

const codePage = (shown: ProtocolPage) => html`${problemLine(shown.problem)}
<p>Enter the code that your device shows.</p>
<form method="post" action="${devicePath}">
<input type="hidden" name="xsrf" value="${shown.xsrf}">
<label>Code <input name="user_code" autocomplete="off" required maxlength="32"></label>
<button>Continue</button>
</form>`

const confirmPage = (shown: ProtocolPage) => html`
<p><strong>${shown.name}</strong> wants to act for you. Your device should show this code:</p>
<p><code>${shown.userCode}</code></p>
<form method="post" action="${devicePath}">
<input type="hidden" name="xsrf" value="${shown.xsrf}">
<input type="hidden" name="user_code" value="${shown.userCode}">
<input type="hidden" name="confirm" value="yes">
<button>It does: continue</button>
<button name="abort" value="yes">Stop</button>
</form>`

const pages: Readonly<Record<ProtocolPage["kind"], readonly [title: string, body: (shown: ProtocolPage) => Html]>> = {
  code: ["Connect a device", codePage],
  confirm: ["Connect a device", confirmPage],
  done: ["Connected", ({ name }) => html`<p>${name} can now act for you. You can close this page.</p>`],
  failed: ["This did not work", ({ problem }) => problemLine(problem)]
}

const strict = { "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'" }

const answerOf = ({ body, headers, page: shown, status }: ProtocolAnswer): HttpServerResponse.HttpServerResponse => {
  const otherHeaders = headers.filter(([name]) => !["content-length", "set-cookie", "content-type"].includes(name))
  const contentType = headers.find(([name]) => name === "content-type")?.[1]
  const [title, bodyOf] = shown === undefined ? [] : pages[shown.kind]
  const base =
    shown !== undefined && title !== undefined && bodyOf !== undefined
      ? page(title, bodyOf(shown), { status })
      : HttpServerResponse.text(body, {
          status,
          contentType: contentType ?? "text/plain",
          ...(contentType?.startsWith("text/html") ? { headers: strict } : {})
        })
  const cookies = headers.filter(([name]) => name === "set-cookie").map(([, value]) => value)
  return HttpServerResponse.mergeCookies(
    HttpServerResponse.setHeaders(base, Object.fromEntries(otherHeaders)),
    Cookies.fromSetCookie(cookies)
  )
}

const off = () => page("Not here", html`<p>Sign-in for other applications is disabled.</p>`, { status: 404 })

const provider = Effect.map(OpenIdProvider, (configured) => configured ?? undefined)

/**
 * Returns whether a request counts for the rate limit.
 *
 * These are a wrong client secret, a wrong device code, and a request for a new device code, which takes storage.
 */
const isCounted = ({ request }: Browser, { page: shown, status }: ProtocolAnswer): boolean =>
  // An expired token isn't a guess, and programs detect it by requesting their user's info.
  (status === 401 && !request.url.startsWith("/login/oauth/userinfo")) ||
  (shown?.kind === "code" && shown.problem !== undefined) ||
  request.url.startsWith(deviceCodePath)

/** Returns the key of the rate limit: the user who enters device codes, or the IP address of a client program. */
const keyOf = Effect.fnUntraced(function* ({ entered, entry, request }: Browser) {
  const { signIn: settings } = yield* SiteSettings
  const user = entered?.actor.user
  const address = addressKey(addressOf(entry, settings))
  if (request.url.startsWith(deviceCodePath)) return `codes ${address}`
  return request.url.startsWith(devicePath) && user !== undefined ? `device ${user.id}` : `program ${address}`
})

/** Lets the OpenID provider handle the request; the body is limited to the size of a form. */
const handOver = Effect.gen(function* () {
  const protocol = yield* provider
  if (protocol === undefined) return off()
  const asking = yield* browser
  const body = asking.request.method === "POST" ? yield* formText(asking.request) : ""
  const key = yield* keyOf(asking)
  if (asking.request.method !== "GET") yield* refuseSlowed(key)
  const answer = yield* protocol.answer(requestOf(asking, body))
  if (isCounted(asking, answer)) yield* countTry(key)
  return answerOf(answer)
}).pipe(
  Effect.catchTag("SignInSlowed", ({ seconds }) =>
    Effect.succeed(
      HttpServerResponse.jsonUnsafe(
        { error: "temporarily_unavailable", error_description: `too many failed attempts, wait ${seconds} seconds` },
        { status: 429, headers: { "cache-control": "no-store", "retry-after": String(seconds) } }
      )
    )
  ),
  answerFailures
)

/** Handles the page where users enter device codes; requires a sign-in, so that codes cannot be guessed anonymously. */
const device = Effect.gen(function* () {
  const { entered } = yield* browser
  return entered === undefined
    ? HttpServerResponse.redirect(`/user/login?next=${devicePath}`, { status: 303 })
    : yield* handOver
})

const over = () =>
  page(
    "This sign-in has expired",
    html`<p>It took too long, or it was started in another browser. Start again in the application.</p>`,
    {
      status: 400
    }
  )

const consentBody = Effect.fnUntraced(function* (asking: Browser, pending: Pending, action: string) {
  const { application, redirectUri, scopes } = pending
  const target = URL.canParse(redirectUri) ? new URL(redirectUri).host || new URL(redirectUri).protocol : undefined
  return html`
<p><strong>${application.name}</strong>${application.owner === undefined ? "" : `, created by ${application.owner},`} wants to act for you,
${asking.entered?.actor.user?.name}:</p>
<ul>${scopeSentences(scopes).map((each) => html`<li>${each}</li>`)}</ul>
${target === undefined ? html`` : html`<p>You will be sent to <strong>${target}</strong>.</p>`}
<form method="post" action="${action}">
${yield* formField(asking)}
<button name="answer" value="agree">Agree</button>
<button name="answer" value="refuse">Refuse</button>
</form>`
})

type Pending = NonNullable<Effect.Success<ReturnType<NonNullable<Effect.Success<typeof provider>>["pending"]>>>

const isOwn = ({ entered }: Browser, { userId }: Pending): boolean =>
  userId !== undefined && entered?.actor.user?.id === userId

/** Counts a view or submission of the consent page for its rate limit; responds with 429 above the limit. */
const consenting = <R>(
  { entered }: Browser,
  answering: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
) => {
  const key = `consent ${entered?.actor.user?.id}`
  return countAttempt(key).pipe(
    Effect.andThen(answering),
    Effect.catchTag("SignInSlowed", ({ seconds }) =>
      Effect.succeed(
        HttpServerResponse.setHeader(
          page(
            "Too many requests",
            problemLine(`The application sends too many requests. Try again in ${seconds} seconds.`),
            { status: 429 }
          ),
          "retry-after",
          String(seconds)
        )
      )
    )
  )
}

const signInForm = (
  asking: Browser,
  { application, redirectUri }: Pending,
  action: string,
  problem?: string,
  name?: string
) =>
  signInPage(
    asking,
    {
      action,
      problem,
      outside: action,
      ...(name === undefined ? {} : { name }),
      why: html`<p>Sign in to continue to <strong>${application.name}</strong>.</p>`
    },
    { leadsTo: redirectUri, status: problem === undefined ? 200 : 401 }
  )

const pathOf = ({ request }: Browser): string => request.url.split("?")[0] ?? ""

/** Shows the sign-in form or consent page that an OAuth2 authorization waits for, or continues if neither is needed. */
const ask = Effect.gen(function* () {
  const protocol = yield* provider
  if (protocol === undefined) return off()
  const asking = yield* browser
  const request = requestOf(asking, "")
  const pending = yield* protocol.pending(request)
  if (pending === undefined) return over()
  const user = asking.entered?.actor.user
  const finish = (outcome: SignInOutcome) => Effect.map(protocol.finish(request, outcome), answerOf)
  if (pending.asks === "sign-in") {
    if (user !== undefined && !pending.afresh) return yield* finish({ _tag: "SignedIn", userId: user.id })
    return yield* signInForm(asking, pending, pathOf(asking))
  }
  if (!isOwn(asking, pending)) return over()
  if (pending.agreed) return yield* finish({ _tag: "Agreed" })
  const title = `Let ${pending.application.name} act for you?`
  const body = yield* consentBody(asking, pending, pathOf(asking))
  return yield* consenting(
    asking,
    Effect.sync(() => setBrowserCookie(asking, page(title, body, { leadsTo: pending.redirectUri })))
  )
})

/** Handles the submitted sign-in form or consent page of an OAuth2 authorization, and continues the authorization. */
const take = Effect.gen(function* () {
  const protocol = yield* provider
  if (protocol === undefined) return off()
  const asking = yield* browser
  const form = yield* readForm(asking)
  const pending = yield* protocol.pending(requestOf(asking, ""))
  if (pending === undefined) return over()
  if (pending.asks === "consent") {
    if (!isOwn(asking, pending)) return over()
    const outcome: SignInOutcome = { _tag: form.get("answer") === "agree" ? "Agreed" : "Refused" }
    return yield* consenting(asking, Effect.map(protocol.finish(requestOf(asking, ""), outcome), answerOf))
  }
  const credentials = credentialsIn(form)
  return yield* Effect.gen(function* () {
    const entered = yield* signIn(asking, credentials)
    const session = yield* beginSession(asking, entered)
    const userId = session.token.userId
    const answer = yield* protocol.finish(requestOf(asking, "", userId), { _tag: "SignedIn", userId })
    return withSession(asking, session, answerOf(answer))
  }).pipe(
    Effect.catch((problem) =>
      signInForm(asking, pending, pathOf(asking), signInFailureMessage(problem), credentials.name)
    )
  )
}).pipe(answerFailures)

/** Layer with the OAuth2 and OpenID Connect endpoints, and their sign-in and consent pages. */
export const protocolRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    for (const path of programPaths) yield* router.add("*", path, handOver)
    for (const path of browserPaths) {
      const handler = path.startsWith(devicePath) ? device : handOver
      yield* router.add("GET", path, handler)
      if (!path.endsWith(":id")) yield* router.add("POST", path, handler)
    }
    yield* router.add("GET", interactionPath, ask)
    yield* router.add("POST", interactionPath, take)
  })
)

/** All paths of the OAuth2 and OpenID Connect endpoints. */
export const protocolPaths = [...programPaths, ...browserPaths, interactionPath] as const
