import { SiteSettings } from "@slipway/domain/forge/base"
import { addressOf, type MintedToken } from "@slipway/domain/forge/identity"
import { Entry } from "@slipway/forge/entry"
import { Sessions } from "@slipway/forge/identity"
import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { formSecret, pageCookie } from "../../../pages/forms.ts"
import { PublicUrl, publicUrlFor } from "../../base/PublicUrl.ts"
import { formCookie, sessionCookie } from "../cookies.ts"
import { entryRequest } from "../guard.ts"

export { FormRefused, formField, formText, readForm, setBrowserCookie } from "../../../pages/forms.ts"

/** The data of a page request that sign-in needs: session, credentials and form secret. */
export interface Browser {
  readonly request: HttpServerRequest.HttpServerRequest
  /** The public URL of the service. */
  readonly rootUrl: string
  readonly secure: boolean
  /** The CSRF secret of this browser, which authenticates its forms. */
  readonly secret: string
  readonly entry: Entry.EntryRequest
  /** The signed-in user. */
  readonly entered: Entry.EnteredActor<"site"> | undefined
}

const site = { kind: "site" } as const

const enter = (request: Entry.EntryRequest) =>
  // An expired session or a disabled account has no user: the page asks for a sign-in, which says why.
  Entry.enter(request, site).pipe(
    // A job has no browser: otherwise a program could act in one with the job's token.
    Effect.map((entered) =>
      entered.actor.user === undefined || entered.actor.task !== undefined ? undefined : entered
    ),
    Effect.catchTags({
      AccessRefused: () => Effect.succeed(undefined),
      InvalidCredentials: () => Effect.succeed(undefined),
      SignInSlowed: () => Effect.succeed(undefined),
      SudoUserNotFound: () => Effect.succeed(undefined)
    })
  )

/** Returns the browser data of the current request; the user comes only from the session or a trusted proxy. */
export const browser = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const served = yield* PublicUrl
  const { signIn } = yield* SiteSettings
  const { rootUrl } = publicUrlFor(served, request, signIn)
  const secure = rootUrl.startsWith("https:")
  const known = request.cookies[formCookie(secure)]
  const { address, forwardedFor, proxyUser, session } = entryRequest(request, served)
  const entry: Entry.EntryRequest = { address, forwardedFor, proxyUser, session }
  return {
    request,
    rootUrl,
    secure,
    secret: yield* formSecret(known),
    entry,
    entered: yield* enter(entry)
  } satisfies Browser
})

/** Adds the session cookie to a response. */
export const withSession = (
  { secure }: Pick<Browser, "secure">,
  { plain }: MintedToken,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, sessionCookie(secure), Redacted.value(plain), {
    ...pageCookie,
    secure,
    maxAge: `${Sessions.sessionLasts} days`
  })

/** Clears the session cookie in a response. */
export const withoutSession = (
  { secure }: Pick<Browser, "secure">,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(response, sessionCookie(secure), "", { ...pageCookie, secure, maxAge: 0 })

/** Signs a user in by password; `changesPassword` also accepts users who have to change it. */
export const signIn = Effect.fnUntraced(function* (
  { entry }: Browser,
  input: { readonly name: string; readonly password: string; readonly code: string },
  changesPassword = false
) {
  const settings = yield* SiteSettings
  const { code, name, password } = input
  return yield* Entry.enterAs(
    {
      _tag: "Password",
      name,
      password: Redacted.make(password),
      oneTimeCode: code === "" ? undefined : Redacted.make(code)
    },
    { address: addressOf(entry, settings.signIn), changesPassword },
    site
  )
})

/** Creates a browser session for the authenticated user, and returns its token. */
export const beginSession = Effect.fnUntraced(function* ({ request }: Browser, entered: Entry.EnteredActor<"site">) {
  const proof = yield* Entry.authorizeAndAudit("account.session.create", entered)
  return yield* Sessions.begin(proof, request.headers["user-agent"] ?? "")
})

/** Returns the message for a failed sign-in. */
export const signInFailureMessage = (
  problem: Effect.Error<ReturnType<typeof signIn>> | Effect.Error<ReturnType<typeof beginSession>>
): string => {
  switch (problem._tag) {
    case "AccessRefused":
      return problem.decision.answer.message
    case "InvalidCredentials":
      return problem.because === "credentials" ? "The name or the password is wrong." : "The one-time code is wrong."
    case "SignInSlowed":
      return `Too many failed sign-ins. Try again in ${problem.seconds} seconds.`
    default:
      return "You cannot sign in at the moment."
  }
}
