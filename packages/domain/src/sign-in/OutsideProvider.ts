import { Context, type Effect, type Redacted, Schema } from "effect"

/** The values that a provider's response is checked against: it must answer the request of this browser. */
export const OutsideChecks = Schema.Struct({ state: Schema.String, nonce: Schema.String, verifier: Schema.String })
export type OutsideChecks = typeof OutsideChecks.Type

/** A user, as the external provider identifies them; a name and an email address never identify a user. */
export const Outsider = Schema.Struct({
  issuer: Schema.String,
  subject: Schema.String,
  name: Schema.optionalKey(Schema.String),
  email: Schema.optionalKey(Schema.String)
})
export type Outsider = typeof Outsider.Type

/** Reports that the provider did not authenticate the user, or that its answer cannot be verified. */
export class OutsideRefused extends Schema.TaggedError<OutsideRefused>()("OutsideRefused", {
  because: Schema.String
}) {}

/** An external identity provider for OpenID Connect. */
export interface SignInProvider {
  /** The display name. */
  readonly name: string
  /** The issuer that the operator configured. */
  readonly issuer: string
  /** Returns the redirect URL for a browser, and the values that `callback` checks the answer against. */
  readonly begin: (
    callback: string
  ) => Effect.Effect<{ readonly address: string; readonly checks: OutsideChecks }, OutsideRefused>
  /** Determines the signed-in user from the full callback URL of the browser. */
  readonly finish: (address: string, checks: OutsideChecks) => Effect.Effect<Outsider, OutsideRefused>
}

/**
 * The external identity provider that the operator configured; none by default.
 *
 * It has a default, so that a deployment of only the API needs no library for it.
 */
export const OutsideProvider = Context.Reference<SignInProvider | undefined>("@slipway/domain/OutsideProvider", {
  defaultValue: () => undefined
})

/** A provider, and this service as its client. */
export interface ProviderClient {
  /** The display name. */
  readonly name: string
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** Whether to ask for the name and the email address of users as well. */
  readonly profile?: boolean | undefined
}

/** Connects to a provider that the store names; without it, only a configured provider signs users in. */
export const ProviderConnector = Context.Reference<((client: ProviderClient) => SignInProvider) | undefined>(
  "@slipway/domain/ProviderConnector",
  { defaultValue: () => undefined }
)
