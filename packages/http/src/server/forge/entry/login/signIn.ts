import { OutsideProvider } from "@slipway/domain/forge/identity"
import { Entry } from "@slipway/forge/entry"
import { PasswordResets, Sessions } from "@slipway/forge/identity"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type Html, html, type PageOptions, page, problemLine } from "../../../pages/html.ts"
import {
  type Browser,
  beginSession,
  browser,
  formField,
  readForm,
  setBrowserCookie,
  signIn,
  signInFailureMessage,
  withoutSession,
  withSession
} from "./browser.ts"

/** The paths of the pages to sign in and out. */
export const signInPaths = {
  signIn: "/user/login",
  signOut: "/user/logout",
  security: "/user/settings/security"
} as const

/** The path of the page for users who forgot their password. */
export const forgottenPath = "/user/forgot_password"

/** The path that starts a sign-in through an external provider. */
export const outsidePath = "/user/login/outside"

const outsideLink = Effect.fnUntraced(function* (next: string) {
  const provider = yield* OutsideProvider
  if (provider === undefined) return html``
  const address = `${outsidePath}?${new URLSearchParams({ next })}`
  return html`<p><a href="${address}">Sign in with ${provider.name}</a></p>`
})

/** The initial values of a sign-in form. */
export interface SignInForm {
  readonly action: string
  readonly next?: string
  readonly name?: string
  readonly problem?: string | undefined
  /** The text above the form. */
  readonly why?: Html
  /** The final redirect target of a sign-in through an external provider; undefined if no provider is configured. */
  readonly outside?: string
}

/** Returns the page with the form for a name and a password. */
export const signInPage = Effect.fnUntraced(function* (
  asking: Browser,
  { action, name = "", next = "", outside, problem, why }: SignInForm,
  options: PageOptions = {}
) {
  const body = html`${why ?? html``}${problemLine(problem)}
<form method="post" action="${action}">
${yield* formField(asking)}
<input type="hidden" name="next" value="${next}">
<label>Name or email address <input name="name" value="${name}" autocomplete="username" required maxlength="254"></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required maxlength="256"></label>
<label>One-time code, if you have a second factor
<input name="code" autocomplete="one-time-code" maxlength="64"></label>
<button>Sign in</button>
</form>
${(yield* PasswordResets.isOn) ? html`<p><a href="${forgottenPath}">Forgot your password?</a></p>` : html``}
${outside === undefined ? html`` : yield* outsideLink(outside)}`
  return setBrowserCookie(asking, page("Sign in", body, options))
})

/** Returns the redirect target of a form: always a path of this service. */
export const nextPath = (asked: string | null | undefined): string =>
  asked != null && !asked.includes("..") && /^\/(login|user)\/[\w/?=&%.~:+-]*$/.test(asked)
    ? asked
    : signInPaths.security

/** Returns the credentials in a form. */
export const credentialsIn = (form: URLSearchParams) => ({
  name: form.get("name") ?? "",
  password: form.get("password") ?? "",
  code: (form.get("code") ?? "").trim()
})

const refusals: Readonly<Record<string, readonly [status: number, text: string]>> = {
  AccessRefused: [403, "You do not have permission to do that."],
  BodiesFull: [503, "Too many requests at the moment. Try again soon."],
  BodyTooLarge: [413, "The form is too large."],
  FormRefused: [403, "This form has expired, or another site sent it. Go back, reload the page and send it again."]
}

/** Converts the errors of a page handler to an error page. */
export const answerFailures = <E extends { readonly _tag: string }, R>(
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.catch(handler, (problem) => {
    const [status, text] = refusals[problem._tag] ?? [400, "The form could not be read."]
    return Effect.succeed(page("This did not work", html`<p>${text}</p>`, { status }))
  })

const show = Effect.gen(function* () {
  const asking = yield* browser
  const next = nextPath(new URLSearchParams(asking.request.url.split("?")[1] ?? "").get("next"))
  if (asking.entered !== undefined) return HttpServerResponse.redirect(next, { status: 303 })
  return yield* signInPage(asking, { action: signInPaths.signIn, next, outside: next })
})

const mustChange = "account.must-change-password"

const send = Effect.gen(function* () {
  const asking = yield* browser
  const form = yield* readForm(asking)
  const next = nextPath(form.get("next"))
  const credentials = credentialsIn(form)
  return yield* signIn(asking, credentials).pipe(
    Effect.flatMap((entered) => beginSession(asking, entered)),
    Effect.map((session) => withSession(asking, session, HttpServerResponse.redirect(next, { status: 303 }))),
    Effect.catch((problem) => {
      if (problem._tag === "AccessRefused" && problem.decision.check === mustChange) {
        const query = new URLSearchParams({ name: credentials.name, must: "yes" })
        return Effect.succeed(HttpServerResponse.redirect(`/user/password?${query}`, { status: 303 }))
      }
      const status = problem._tag === "SignInSlowed" ? 429 : problem._tag === "AccessRefused" ? 403 : 401
      return signInPage(
        asking,
        {
          action: signInPaths.signIn,
          next,
          outside: next,
          name: credentials.name,
          problem: signInFailureMessage(problem)
        },
        { status }
      )
    })
  )
}).pipe(answerFailures)

const signOut = Effect.gen(function* () {
  const asking = yield* browser
  yield* readForm(asking)
  const { entered } = asking
  const token = entered?.actor.token
  if (entered !== undefined && token?.kind === "session") {
    const proof = yield* Entry.authorizeAndAudit("account.session.delete", entered)
    yield* Sessions.end(proof, token.id).pipe(Effect.catchTag("TokenNotFound", () => Effect.void))
  }
  return withoutSession(asking, HttpServerResponse.redirect(signInPaths.signIn, { status: 303 }))
}).pipe(answerFailures)

/** Layer with the pages to sign in and out. */
export const signInRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", signInPaths.signIn, show)
    yield* router.add("POST", signInPaths.signIn, send)
    yield* router.add("POST", signInPaths.signOut, signOut)
  })
)
