import { Context, type Effect, type Redacted, Schema } from "effect"

/** Reports that a text is no private key that can be used, and why. */
export class UnusableKey extends Schema.TaggedError<UnusableKey>()("UnusableKey", { because: Schema.String }) {}

/** The public facts about a private key. */
export interface KeyFacts {
  readonly publicKey: string
  readonly fingerprint: string
}

/**
 * Reads private SSH keys.
 *
 * Must:
 * - give the public half and the fingerprint that ssh-keygen gives
 * - refuse a key that is protected by a passphrase
 * - refuse a text that is no private key
 */
export class KeyReader extends Context.Service<
  KeyReader,
  { readonly read: (privateKey: Redacted.Redacted) => Effect.Effect<KeyFacts, UnusableKey> }
>()("@slipway/domain/deploy/KeyReader") {}
