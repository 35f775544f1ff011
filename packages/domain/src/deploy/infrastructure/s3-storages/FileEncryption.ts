import { Context, type Effect, type Redacted, Schema, type Stream } from "effect"

/** Reports that data cannot be decrypted: it is incomplete, was changed, or is encrypted for other recipients. */
export class FileNotDecrypted extends Schema.TaggedError<FileNotDecrypted>()("FileNotDecrypted", {}) {}

/** A key pair of the `age` encryption format: the secret key (identity) and the public key (recipient). */
export interface AgeIdentity {
  readonly identity: Redacted.Redacted
  readonly recipient: string
}

/**
 * Encrypts files in the age format (age-encryption.org/v1), which the program `age` decrypts.
 *
 * Must:
 * - recognize valid recipients, and reject other texts
 * - decrypt a file with the identity of each of its recipients
 * - reject bytes that are incomplete, changed or encrypted for another recipient
 */
export class FileEncryption extends Context.Service<
  FileEncryption,
  {
    readonly isRecipient: (text: string) => boolean
    readonly generate: Effect.Effect<AgeIdentity>
    /** Computes the public key (recipient) of a secret key. */
    readonly read: (identity: Redacted.Redacted) => Effect.Effect<AgeIdentity>
    readonly encrypt: <E, R>(
      bytes: Stream.Stream<Uint8Array, E, R>,
      recipients: ReadonlyArray<string>
    ) => Stream.Stream<Uint8Array, E, R>
    readonly decrypt: <E, R>(
      bytes: Stream.Stream<Uint8Array, E, R>,
      identity: Redacted.Redacted
    ) => Stream.Stream<Uint8Array, FileNotDecrypted | E, R>
  }
>()("@slipway/domain/deploy/FileEncryption") {}
