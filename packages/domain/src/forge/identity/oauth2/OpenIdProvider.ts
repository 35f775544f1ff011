import { Context, type Effect } from "effect"
import type { UserId } from "../users/User.ts"

/** A request to the protocol, as it arrived. */
export interface ProtocolRequest {
  /** The base URL of the service as callers know it, without a trailing slash. */
  readonly rootUrl: string
  readonly method: string
  /** The path with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** The user who is signed in with this browser. */
  readonly userId: UserId | undefined
}

/** The response of the protocol. */
export interface ProtocolAnswer {
  readonly status: number
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string
  /** The page to show in place of a body. */
  readonly page?: ProtocolPage | undefined
}

/** A page of the protocol: for a device code, for its confirmation, and for the result. */
export interface ProtocolPage {
  readonly kind: "code" | "confirm" | "done" | "failed"
  /** The CSRF token of the form. */
  readonly xsrf?: string | undefined
  readonly userCode?: string | undefined
  /** The name of the client. */
  readonly name?: string | undefined
  readonly problem?: string | undefined
}

/** A sign-in that an OAuth2 client started in this browser, and that waits for the user to sign in or consent. */
export interface PendingSignIn {
  readonly id: string
  /** Whether the user must sign in or give consent. */
  readonly asks: "sign-in" | "consent"
  /** Whether the user must enter the password even when signed in. */
  readonly afresh: boolean
  readonly application: { readonly name: string; readonly clientId: string; readonly owner: string | undefined }
  /** The redirect URI. */
  readonly redirectUri: string
  /** The scopes that the client requests, as words. */
  readonly scopes: ReadonlyArray<string>
  readonly userId: UserId | undefined
  /** Whether the client's maker skips the consent page for users who already agreed. */
  readonly agreed: boolean
}

/** The result of a pending sign-in. */
export type SignInOutcome =
  | { readonly _tag: "SignedIn"; readonly userId: UserId }
  | { readonly _tag: "Agreed" }
  | { readonly _tag: "Refused" }

/**
 * Implements OAuth2 and OpenID Connect for clients; disabled by default.
 *
 * It has a default, so that a deployment of only the API needs no library for it.
 */
export const OpenIdProvider = Context.Reference<
  | {
      readonly answer: (request: ProtocolRequest) => Effect.Effect<ProtocolAnswer>
      /** Finds the sign-in that waits in this browser, by its cookie. */
      readonly pending: (request: ProtocolRequest) => Effect.Effect<PendingSignIn | undefined>
      readonly finish: (request: ProtocolRequest, outcome: SignInOutcome) => Effect.Effect<ProtocolAnswer>
    }
  | undefined
>("@slipway/domain/forge/OpenIdProvider", { defaultValue: () => undefined })
