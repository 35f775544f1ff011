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
 * - return the public key and the fingerprint as ssh-keygen prints them
 * - reject a key with a passphrase
 * - reject a text that is not a private key
 */
export class KeyReader extends Context.Service<
  KeyReader,
  { readonly read: (privateKey: Redacted.Redacted) => Effect.Effect<KeyFacts, UnusableKey> }
>()("@slipway/domain/deploy/KeyReader") {}
