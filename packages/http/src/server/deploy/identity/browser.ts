import { authenticate, Sessions } from "@slipway/deploy/identity"
import { ForgeConnections } from "@slipway/deploy/infrastructure"
import type { Caller } from "@slipway/domain/deploy/entry"
import { sessionLasts } from "@slipway/domain/deploy/identity"
import { OutsideProvider } from "@slipway/domain/sign-in"
import { Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { NetAddress } from "effect/net"
import { cookieNamed, formCookie } from "../../pages/cookies.ts"
import { type FormSender, formSecret, pageCookie, setBrowserCookie } from "../../pages/forms.ts"
import { html, page } from "../../pages/html.ts"
import { callerAddressOf, rootUrlOf } from "./SignInSite.ts"

/** The base name of the session cookie; differs from the forge's name, because both may run on one host. */
export const deploySession = "slipway_deploy_session"

const sessionCookie = cookieNamed(deploySession)

type Response = HttpServerResponse.HttpServerResponse

/** The data of a page request that sign-in needs: session, client address and form secret. */
export interface Browser extends FormSender {
  /** The public origin of the service. */
  readonly rootUrl: string
  readonly address: NetAddress.IpAddress
  /** The caller of the browser's session; undefined without a valid session. */
  readonly caller: Caller | undefined
}

const callerOf = (session: string | undefined) =>
  session === undefined
    ? Effect.undefined
    : authenticate(Redacted.make(session)).pipe(
        // A token in the cookie is not a session: otherwise a script could plant one.
        Effect.map((caller: Caller) => (caller.session === undefined ? undefined : caller)),
        Effect.catchTag("Unauthenticated", () => Effect.undefined)
      )

/** Returns the browser data of the current request; the account comes only from the session cookie. */
export const browser = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const rootUrl = yield* rootUrlOf(request)
  const secure = rootUrl.startsWith("https:")
  return {
    request,
    rootUrl,
    secure,
    secret: yield* formSecret(request.cookies[formCookie(secure)]),
    address: yield* callerAddressOf(request),
    caller: yield* callerOf(request.cookies[sessionCookie(secure)])
  } satisfies Browser
})

/** Clears the session cookie in a response. */
export const withoutSession = ({ secure }: Pick<Browser, "secure">, response: Response): Response =>
  HttpServerResponse.setCookieUnsafe(response, sessionCookie(secure), "", { ...pageCookie, secure, maxAge: 0 })

/**
 * Creates a session for an account that signed in, replaces the browser's previous session, and redirects.
 *
 * Session token and form secret are new, so that values stolen before the sign-in are useless (session fixation).
 */
export const beginSession = Effect.fnUntraced(function* (
  { address, caller, request, secure }: Browser,
  account: Parameters<typeof Sessions.begin>[0],
  next: string
) {
  if (caller?.session !== undefined) yield* Sessions.endPresent(caller.session)
  const { plain } = yield* Sessions.begin(account, {
    agent: request.headers["user-agent"] ?? "",
    address: NetAddress.formatIp(address)
  })
  const answer = HttpServerResponse.setCookieUnsafe(
    HttpServerResponse.redirect(next, { status: 303, headers: { "cache-control": "no-store" } }),
    sessionCookie(secure),
    Redacted.value(plain),
    { ...pageCookie, secure, maxAge: `${sessionLasts} days` }
  )
  return setBrowserCookie({ secure, secret: yield* formSecret(undefined) }, answer)
})

/** Returns the query parameters of a request. */
export const queryOf = ({ request }: Pick<Browser, "request">): URLSearchParams =>
  new URLSearchParams(request.url.split("?")[1] ?? "")

/**
 * Returns the redirect target after a sign-in: always a path of this service, and never a sign-in page.
 *
 * @example
 * nextPath("/docs?page=2") // => "/docs?page=2"
 * nextPath("//evil.example") // => "/account"
 * nextPath("/logout") // => "/account"
 */
export const nextPath = (asked: string | null | undefined): string =>
  asked != null && /^\/(?!\/)[\w/?=&%.~:+-]*$/.test(asked) && !/^\/(?:login|logout|auth)(?:[/?]|$)/.test(asked)
    ? asked
    : "/account"

/** Runs the handler of a page with the current sign-in provider: the configured one, or a connected forge. */
export const withProvider = <A, E, R>(handler: Effect.Effect<A, E, R>) =>
  Effect.flatMap(ForgeConnections.signInProvider, (provider) =>
    Effect.provideService(handler, OutsideProvider, provider)
  )

const refusals: Readonly<Record<string, readonly [status: number, text: string]>> = {
  BodiesFull: [503, "Too many requests at the moment. Try again soon."],
  BodyTooLarge: [413, "The form is too large."],
  FormRefused: [403, "This form has expired, or another site sent it. Go back, reload the page and send it again."],
  NotAuthorized: [403, "You do not have permission to do that."]
}

/** Converts the errors of a page handler to an error page. */
export const answerFailures = <E extends { readonly _tag: string }, R>(handler: Effect.Effect<Response, E, R>) =>
  Effect.catch(handler, (problem) => {
    const [status, text] = refusals[problem._tag] ?? [400, "The form could not be read."]
    return Effect.succeed(page("This did not work", html`<p>${text}</p>`, { status }))
  })
