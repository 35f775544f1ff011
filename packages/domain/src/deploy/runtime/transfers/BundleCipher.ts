import { Context, type Effect, type Redacted, Schema } from "effect"

/** Reports that a bundle cannot be decrypted: the passphrase is wrong, or the bundle is incomplete or was changed. */
export class BundleNotDecrypted extends Schema.TaggedError<BundleNotDecrypted>()("BundleNotDecrypted", {}) {}

/** The maximum length of a bundle after its decompression, in bytes. */
export const largestBundle = 64 * 1024 * 1024

/**
 * Encrypts texts with passphrases, in the age format (age-encryption.org/v1). The text is compressed with gzip before.
 *
 * Must:
 * - decrypt a text with its passphrase
 * - encrypt the same text differently each time
 * - reject another passphrase, and bytes that are incomplete or changed
 * - reject a text that exceeds the limit after its decompression
 */
export class BundleCipher extends Context.Service<
  BundleCipher,
  {
    readonly encrypt: (text: string, passphrase: Redacted.Redacted) => Effect.Effect<Uint8Array>
    readonly decrypt: (
      bytes: Uint8Array,
      passphrase: Redacted.Redacted,
      most?: number
    ) => Effect.Effect<string, BundleNotDecrypted>
  }
>()("@slipway/domain/deploy/BundleCipher") {}
