import { authorizeNamed } from "@slipway/deploy/entry"
import { Accounts, Sessions, SignIns } from "@slipway/deploy/identity"
import type { SignInRejected } from "@slipway/domain/deploy/identity"
import { OutsideProvider, OutsideSignIns, type SignInSlowed } from "@slipway/domain/sign-in"
import { Effect, Redacted } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { cookieNamed } from "../../pages/cookies.ts"
import { formField, pageCookie, readForm, setBrowserCookie } from "../../pages/forms.ts"
import { html, type PageOptions, page, problemLine } from "../../pages/html.ts"
import {
  answerFailures,
  type Browser,
  beginSession,
  browser,
  nextPath,
  queryOf,
  withoutSession,
  withProvider
} from "./browser.ts"

/** The paths of sign-in and sign-out. */
export const signInPaths = {
  signIn: "/login",
  signOut: "/logout",
  begin: "/auth/oidc",
  callback: "/auth/oidc/callback",
  link: "/auth/link"
} as const

type Response = HttpServerResponse.HttpServerResponse

const stateCookie = cookieNamed("slipway_deploy_outside")

const withState = ({ secure }: Browser, text: string, response: Response): Response =>
  HttpServerResponse.setCookieUnsafe(response, stateCookie(secure), text, {
    ...pageCookie,
    secure,
    maxAge: text === "" ? 0 : `${OutsideSignIns.lasts} minutes`
  })

interface SignInForm {
  readonly next: string
  readonly name?: string
  readonly problem?: string
}

/** Returns the page with the form for a name and a password, and the link to the provider if there is one. */
const signInPage = Effect.fnUntraced(function* (
  asking: Browser,
  { name = "", next, problem }: SignInForm,
  options: PageOptions = {}
) {
  const provider = yield* OutsideProvider
  const address = `${signInPaths.begin}?${new URLSearchParams({ next })}`
  const body = html`${problemLine(problem)}
${provider === undefined ? html`` : html`<p><a href="${address}">Sign in with ${provider.name}</a></p>`}
<form method="post" action="${signInPaths.signIn}">
${yield* formField(asking)}
<input type="hidden" name="next" value="${next}">
<label>Name <input name="name" value="${name}" autocomplete="username" required maxlength="254"></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required maxlength="256"></label>
<button>Sign in</button>
</form>
<p>Slipway deploy, a deployment platform. <a href="/docs">API reference</a></p>`
  return setBrowserCookie(asking, page("Sign in", body, options))
})

const messageOf = (problem: SignInRejected | SignInSlowed): string => {
  if (problem._tag === "SignInSlowed") return `Too many failed sign-ins. Try again in ${problem.seconds} seconds.`
  return problem.because === "disabled" ? "This account is disabled." : "The name or the password is wrong."
}

const statusOf = (problem: SignInRejected | SignInSlowed): number => {
  if (problem._tag === "SignInSlowed") return 429
  return problem.because === "disabled" ? 403 : 401
}

const show = Effect.gen(function* () {
  const asking = yield* browser
  const next = nextPath(queryOf(asking).get("next"))
  return asking.caller === undefined
    ? yield* signInPage(asking, { next })
    : HttpServerResponse.redirect(next, { status: 303 })
}).pipe(answerFailures)

const send = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  const next = nextPath(form.get("next"))
  const name = form.get("name") ?? ""
  const password = Redacted.make(form.get("password") ?? "")
  return yield* SignIns.withPassword({ name, password, address: asking.address }).pipe(
    Effect.flatMap((account) => beginSession(asking, account, next)),
    Effect.catch((problem) =>
      Effect.map(
        signInPage(asking, { next, name, problem: messageOf(problem) }, { status: statusOf(problem) }),
        (answer) =>
          problem._tag === "SignInSlowed"
            ? HttpServerResponse.setHeader(answer, "retry-after", String(problem.seconds))
            : answer
      )
    )
  )
}).pipe(answerFailures)

const showSignOut = Effect.gen(function* () {
  const asking = yield* browser
  if (asking.caller === undefined) return HttpServerResponse.redirect(signInPaths.signIn, { status: 303 })
  const body = html`<p>You are signed in as <strong>${asking.caller.account?.name}</strong>.</p>
<form method="post" action="${signInPaths.signOut}">${yield* formField(asking)}<button>Sign out</button></form>`
  return setBrowserCookie(asking, page("Sign out", body))
}).pipe(answerFailures)

const signOut = Effect.gen(function* () {
  const asking = yield* browser
  yield* readForm(asking)
  if (asking.caller?.session !== undefined) yield* Sessions.endPresent(asking.caller.session)
  return withoutSession(asking, HttpServerResponse.redirect(signInPaths.signIn, { status: 303 }))
}).pipe(answerFailures)

const named = Effect.map(OutsideProvider, (provider) => provider?.name ?? "The provider")

const failed = (problem: string, status = 400) =>
  Effect.map(named, (name) =>
    page(
      "You are not signed in",
      html`<p class="problem" role="alert">${name} did not sign you in: ${problem}.</p>
<p><a href="${signInPaths.signIn}">Sign in</a></p>`,
      { status }
    )
  )

const off = () => page("Not found", html`<p>This instance has no provider for sign-in.</p>`, { status: 404 })

type Begun = ReturnType<typeof SignIns.begin>

const redirected = (asking: Browser, begun: Begun) =>
  begun.pipe(
    Effect.map(({ address, sealedState }) =>
      withState(asking, sealedState, HttpServerResponse.redirect(address, { status: 303 }))
    ),
    Effect.catchTag("OutsideRefused", ({ because }) =>
      Effect.andThen(
        Effect.logWarning(`the OpenID Connect provider cannot be reached: ${because}`),
        failed("it cannot be reached at the moment", 502)
      )
    )
  )

const callbackOf = ({ rootUrl }: Browser): string => `${rootUrl}${signInPaths.callback}`

const begin = Effect.gen(function* () {
  if ((yield* OutsideProvider) === undefined) return off()
  const asking = yield* browser
  return yield* redirected(asking, SignIns.begin(callbackOf(asking), nextPath(queryOf(asking).get("next"))))
}).pipe(answerFailures)

/** Starts to link an external identity to the signed-in account; requires a form with this browser's CSRF secret. */
const beginLink = Effect.gen(function* () {
  if ((yield* OutsideProvider) === undefined) return off()
  const asking = yield* browser
  yield* readForm(asking)
  const { caller } = asking
  if (caller?.account === undefined) return HttpServerResponse.redirect(signInPaths.signIn, { status: 303 })
  return yield* redirected(asking, SignIns.beginLink(callbackOf(asking), "/account", caller.account))
}).pipe(answerFailures)

/** Completes a sign-in or the linking of an identity; linking requires the session of the account that started it. */
const finish = Effect.gen(function* () {
  if ((yield* OutsideProvider) === undefined) return off()
  const asking = yield* browser
  const state = asking.request.cookies[stateCookie(asking.secure)]
  const answer = Effect.gen(function* () {
    const finished = yield* SignIns.finish(`${asking.rootUrl}${asking.request.url}`, state)
    if (finished._tag === "SignedIn") return yield* beginSession(asking, finished.account, finished.next)
    if (asking.caller === undefined) return yield* failed("you signed out meanwhile", 403)
    const proof = yield* authorizeNamed(asking.caller, "account.identity.link", {})
    yield* Accounts.link(proof, finished.account, finished.outsider)
    return HttpServerResponse.redirect(finished.next, { status: 303 })
  }).pipe(
    Effect.catchTags({
      OutsideRefused: ({ because }) =>
        Effect.andThen(
          Effect.logWarning(`a sign-in with the OpenID Connect provider failed: ${because}`),
          failed("its response does not match the request of this browser")
        ),
      SignInRejected: ({ because }) =>
        failed(because === "disabled" ? "this account is disabled" : "this account was changed meanwhile", 403),
      IdentityNotFound: () => failed("another account began this", 403),
      IdentityTaken: () => failed("another account is linked to that identity", 409)
    })
  )
  return withState(asking, "", yield* answer)
}).pipe(answerFailures)

/** Layer with the pages to sign in and out, with a password or an OpenID Connect provider. */
export const signInRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", signInPaths.signIn, withProvider(show))
    yield* router.add("POST", signInPaths.signIn, withProvider(send))
    yield* router.add("GET", signInPaths.signOut, showSignOut)
    yield* router.add("POST", signInPaths.signOut, signOut)
    yield* router.add("GET", signInPaths.begin, withProvider(begin))
    yield* router.add("GET", signInPaths.callback, withProvider(finish))
    yield* router.add("POST", signInPaths.link, withProvider(beginLink))
  })
)
