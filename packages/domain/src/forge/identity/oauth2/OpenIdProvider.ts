import { Context, type Effect } from "effect"
import type { UserId } from "../users/User.ts"

/** An HTTP request to an OAuth2 or OpenID Connect endpoint, as received. */
export interface ProtocolRequest {
  /** The public base URL of the service, without a trailing slash. */
  readonly rootUrl: string
  readonly method: string
  /** The path of the request, with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** The user who is signed in in the browser that sent the request; undefined if none. */
  readonly userId: UserId | undefined
}

/** The HTTP response of an OAuth2 or OpenID Connect endpoint. */
export interface ProtocolAnswer {
  readonly status: number
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string
  /** The page to render as the body of the response; undefined if `body` is the body. */
  readonly page?: ProtocolPage | undefined
}

/** A page of the OAuth2 device flow: entering a code, confirming it, or the result. */
export interface ProtocolPage {
  readonly kind: "code" | "confirm" | "done" | "failed"
  /** The CSRF token that the form on the page must contain. */
  readonly xsrf?: string | undefined
  readonly userCode?: string | undefined
  /** The name of the client application. */
  readonly name?: string | undefined
  readonly problem?: string | undefined
}

/** A sign-in that an OAuth2 client started in this browser. It waits until the user signs in or consents. */
export interface PendingSignIn {
  readonly id: string
  /** The next step that the user must do: sign in, or give consent to the client. */
  readonly asks: "sign-in" | "consent"
  /** Whether the user must enter the password again, even if signed in. */
  readonly afresh: boolean
  readonly application: { readonly name: string; readonly clientId: string; readonly owner: string | undefined }
  /** The redirect URI of the client application. */
  readonly redirectUri: string
  /** The names of the scopes that the client requests. */
  readonly scopes: ReadonlyArray<string>
  readonly userId: UserId | undefined
  /** Whether the user already consented and the application skips the consent page in that case. */
  readonly agreed: boolean
}

/** The user's decision on a sign-in in progress: signed in, consented to the client, or refused. */
export type SignInOutcome =
  | { readonly _tag: "SignedIn"; readonly userId: UserId }
  | { readonly _tag: "Agreed" }
  | { readonly _tag: "Refused" }

/**
 * Implements OAuth2 and OpenID Connect for client applications; disabled by default.
 *
 * The default exists so that a deployment that serves only the API does not need the OpenID library.
 */
export const OpenIdProvider = Context.Reference<
  | {
      readonly answer: (request: ProtocolRequest) => Effect.Effect<ProtocolAnswer>
      /** Finds the sign-in in progress in this browser, by its cookie; undefined if there is none. */
      readonly pending: (request: ProtocolRequest) => Effect.Effect<PendingSignIn | undefined>
      readonly finish: (request: ProtocolRequest, outcome: SignInOutcome) => Effect.Effect<ProtocolAnswer>
    }
  | undefined
>("@slipway/domain/forge/OpenIdProvider", { defaultValue: () => undefined })
