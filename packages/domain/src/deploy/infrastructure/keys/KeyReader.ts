import { Context, type Effect, type Redacted, Schema } from "effect"

/** Reports that a text is not a usable private key, with the reason. */
export class UnusableKey extends Schema.TaggedError<UnusableKey>()("UnusableKey", { because: Schema.String }) {}

/** The public data of a private SSH key: its public key and fingerprint. */
export interface KeyFacts {
  readonly publicKey: string
  readonly fingerprint: string
}

/** A private SSH key in OpenSSH format, with its public key. */
export interface KeyPair {
  readonly privateKey: Redacted.Redacted
  readonly publicKey: string
}

/**
 * Parses and generates private SSH keys.
 *
 * Must:
 * - return the public key and the fingerprint as ssh-keygen prints them
 * - reject a key with a passphrase
 * - reject a text that is not a private key
 * - generate a different Ed25519 key each time, in a form that ssh-keygen reads
 */
export class KeyReader extends Context.Service<
  KeyReader,
  {
    readonly read: (privateKey: Redacted.Redacted) => Effect.Effect<KeyFacts, UnusableKey>
    readonly generate: Effect.Effect<KeyPair>
  }
>()("@slipway/domain/deploy/KeyReader") {}
