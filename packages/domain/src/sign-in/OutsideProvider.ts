import { Context, type Effect, type Redacted, Schema } from "effect"

/** The OpenID Connect values that bind the provider's response to the sign-in request of this browser. */
export const OutsideChecks = Schema.Struct({ state: Schema.String, nonce: Schema.String, verifier: Schema.String })
export type OutsideChecks = typeof OutsideChecks.Type

/**
 * A user as authenticated by an external identity provider. Only issuer and subject identify the user, never the name
 * or email address.
 */
export const Outsider = Schema.Struct({
  issuer: Schema.String,
  subject: Schema.String,
  name: Schema.optionalKey(Schema.String),
  email: Schema.optionalKey(Schema.String)
})
export type Outsider = typeof Outsider.Type

/** Reports that the external provider did not authenticate the user, or that its response is invalid. */
export class OutsideRefused extends Schema.TaggedError<OutsideRefused>()("OutsideRefused", {
  because: Schema.String
}) {}

/** An external identity provider for OpenID Connect. */
export interface SignInProvider {
  /** The name of the provider that users see. */
  readonly name: string
  /** The issuer URL of the provider, as configured by the operator. */
  readonly issuer: string
  /**
   * Begins a sign-in: returns the URL to redirect the browser to, and the values with which `finish` verifies the
   * response.
   */
  readonly begin: (
    callback: string
  ) => Effect.Effect<{ readonly address: string; readonly checks: OutsideChecks }, OutsideRefused>
  /** Verifies the provider's response in the callback URL of the browser, and returns the authenticated user. */
  readonly finish: (address: string, checks: OutsideChecks) => Effect.Effect<Outsider, OutsideRefused>
}

/**
 * The external identity provider that the operator configured; undefined by default.
 *
 * The default exists so that a deployment that serves only the API does not need the OpenID library.
 */
export const OutsideProvider = Context.Reference<SignInProvider | undefined>("@slipway/domain/OutsideProvider", {
  defaultValue: () => undefined
})

/** The settings of this service as a client of an external identity provider. */
export interface ProviderClient {
  /** The name of the provider that users see. */
  readonly name: string
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** Whether to request the user's name and email address from the provider. */
  readonly profile?: boolean | undefined
}

/**
 * Creates the connection to an identity provider that is configured in the database. If undefined, only the provider in
 * the configuration of the operator is available.
 */
export const ProviderConnector = Context.Reference<((client: ProviderClient) => SignInProvider) | undefined>(
  "@slipway/domain/ProviderConnector",
  { defaultValue: () => undefined }
)
