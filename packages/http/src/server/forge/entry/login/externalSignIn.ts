import { SiteSettings } from "@slipway/domain/forge/base"
import { addressOf, OutsideProvider, type Outsider, type User } from "@slipway/domain/forge/identity"
import { OutsideSignIns } from "@slipway/domain/sign-in"
import { Entry } from "@slipway/forge/entry"
import { Identities } from "@slipway/forge/identity"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { html, page } from "../../../pages/html.ts"
import { outsideCookie } from "../cookies.ts"
import { type Browser, beginSession, browser, readForm, signIn, signInFailureMessage, withSession } from "./browser.ts"
import { answerFailures, credentialsIn, nextPath, outsidePath, signInPage } from "./signIn.ts"

/** The paths of the sign-in through an external OpenID Connect provider. */
export const outsidePaths = {
  begin: outsidePath,
  callback: `${outsidePath}/callback`,
  link: `${outsidePath}/link`
} as const

type Answer = HttpServerResponse.HttpServerResponse

const withStateCookie = ({ secure }: Browser, text: string, answer: Answer): Answer =>
  HttpServerResponse.setCookieUnsafe(answer, outsideCookie(secure), text, {
    httpOnly: true,
    // The other service redirects the browser back here; a stricter cookie would not be sent.
    sameSite: "lax",
    path: "/",
    secure,
    maxAge: text === "" ? 0 : `${OutsideSignIns.lasts} minutes`
  })

const forgotten = (asking: Browser, answer: Answer): Answer => withStateCookie(asking, "", answer)

const stateCookieOf = ({ request, secure }: Browser): string | undefined => request.cookies[outsideCookie(secure)]

const named = Effect.map(OutsideProvider, (provider) => provider?.name ?? "the other service")

const failed = (problem: string, status = 400) =>
  Effect.map(named, (name) =>
    page(
      "You are not signed in",
      html`<p class="problem" role="alert">${name} did not sign you in: ${problem}.</p>
<p><a href="/user/login">Sign in</a></p>`,
      { status }
    )
  )

const off = () =>
  page("Not here", html`<p>Sign-in through other services is not enabled on this site.</p>`, { status: 404 })

const begin = Effect.gen(function* () {
  if ((yield* OutsideProvider) === undefined) return off()
  const asking = yield* browser
  const next = nextPath(new URLSearchParams(asking.request.url.split("?")[1] ?? "").get("next"))
  return yield* OutsideSignIns.begin(`${asking.rootUrl}${outsidePaths.callback}`, next).pipe(
    Effect.map(({ address, sealedState: text }) =>
      withStateCookie(asking, text, HttpServerResponse.redirect(address, { status: 303 }))
    ),
    Effect.catchTag("OutsideRefused", ({ because }) =>
      Effect.andThen(
        Effect.logWarning(`the external OpenID provider cannot be reached: ${because}`),
        failed("it cannot be reached at the moment", 502)
      )
    )
  )
}).pipe(answerFailures)

/** Creates a session for a user authenticated by the provider, after the usual checks of the account (I16). */
const sessionOf = Effect.fnUntraced(function* (asking: Browser, { name }: User, next: string) {
  const { signIn: settings } = yield* SiteSettings
  return yield* Entry.enterAs(
    { _tag: "ProxyUser", name },
    { address: addressOf(asking.entry, settings) },
    { kind: "site" }
  ).pipe(
    Effect.flatMap((entered) => beginSession(asking, entered)),
    Effect.map((session) => withSession(asking, session, HttpServerResponse.redirect(next, { status: 303 }))),
    Effect.catch((problem) =>
      Effect.succeed(
        page("You are not signed in", html`<p class="problem" role="alert">${signInFailureMessage(problem)}</p>`, {
          status: 403
        })
      )
    )
  )
})

const linkForm = Effect.fnUntraced(function* (asking: Browser, problem?: string, name?: string, status = 200) {
  const provider = yield* named
  return yield* signInPage(
    asking,
    {
      action: outsidePaths.link,
      problem,
      ...(name === undefined ? {} : { name }),
      why: html`<p>${provider} signed you in, but no account here is linked to it yet. Sign in once with your password;
from then on ${provider} signs you in.</p>`
    },
    { status }
  )
})

const finish = Effect.gen(function* () {
  if ((yield* OutsideProvider) === undefined) return off()
  const asking = yield* browser
  return yield* Effect.gen(function* () {
    const { next, outsider } = yield* OutsideSignIns.finish(
      `${asking.rootUrl}${asking.request.url}`,
      stateCookieOf(asking)
    )
    const user = yield* Identities.userOf(outsider)
    if (user !== undefined) return forgotten(asking, yield* sessionOf(asking, user, next))
    return withStateCookie(asking, yield* OutsideSignIns.keep(outsider, next), yield* linkForm(asking))
  }).pipe(
    Effect.catchTag("OutsideRefused", ({ because }) =>
      Effect.andThen(
        Effect.logWarning(`a sign-in with the external OpenID provider failed: ${because}`),
        Effect.map(failed("its response does not match the request of this browser"), (answer) =>
          forgotten(asking, answer)
        )
      )
    )
  )
}).pipe(answerFailures)

const linked = Effect.fnUntraced(function* (asking: Browser, outsider: Outsider, form: URLSearchParams) {
  const entered = yield* signIn(asking, credentialsIn(form))
  yield* Identities.link(yield* Entry.authorizeAndAudit("account.session.create", entered), outsider)
  return yield* beginSession(asking, entered)
})

/**
 * Links the identity from the provider to an account, after the user entered the name and password of the account.
 *
 * Accounts are never linked by email address.
 */
const link = Effect.gen(function* () {
  if ((yield* OutsideProvider) === undefined) return off()
  const asking = yield* browser
  const form = yield* readForm(asking)
  return yield* Effect.gen(function* () {
    const { next, outsider } = yield* OutsideSignIns.openIdentity(stateCookieOf(asking))
    return yield* linked(asking, outsider, form).pipe(
      Effect.map((session) =>
        forgotten(asking, withSession(asking, session, HttpServerResponse.redirect(next, { status: 303 })))
      ),
      Effect.catch((problem) =>
        problem._tag === "IdentityTaken"
          ? failed("another user is already linked to that account", 409)
          : linkForm(
              asking,
              signInFailureMessage(problem),
              credentialsIn(form).name,
              problem._tag === "SignInSlowed" ? 429 : 401
            )
      )
    )
  }).pipe(Effect.catchTag("OutsideRefused", ({ because }) => failed(because)))
}).pipe(answerFailures)

/** Layer with the routes of the sign-in through an external provider, if one is configured. */
export const outsideRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", outsidePaths.begin, begin)
    yield* router.add("GET", outsidePaths.callback, finish)
    yield* router.add("POST", outsidePaths.link, link)
  })
)
