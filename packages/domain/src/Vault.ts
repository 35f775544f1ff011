import { Context, Data, Effect, Layer, Redacted, Schema } from "effect"
import { Aead, SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"

/** An encrypted secret as stored. It is bound to its owner and field, and cannot be decrypted without the key. */
export const Sealed = Schema.String.pipe(Schema.brand("Sealed"))
export type Sealed = typeof Sealed.Type

/**
 * The owner and the field that a secret belongs to. The secret can only be decrypted with the same owner and field
 * (invariant I19).
 */
export interface SecretOwner {
  readonly uuid: string
  readonly field: string
}

/** The error for a secret that cannot be decrypted: another key or owner encrypted it, or it was modified. */
export class DecryptionFailed extends Data.TaggedError("DecryptionFailed") {}

const nonceLength = 12
const encoder = new TextEncoder()
const decoder = new TextDecoder()

// Each part includes its length, so that two owners never have the same text.
const bindingOf = ({ uuid, field }: SecretOwner) => encoder.encode(`${uuid.length}:${uuid}${field.length}:${field}`)

/** Encrypts and decrypts secrets with one key (AES-256-GCM). A failed decryption is a defect, except in `tryOpen`. */
export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (owner: SecretOwner, secret: Redacted.Redacted) => Effect.Effect<Sealed>
    readonly open: (owner: SecretOwner, sealed: Sealed) => Effect.Effect<Redacted.Redacted>
    readonly tryOpen: (owner: SecretOwner, sealed: Sealed) => Effect.Effect<Redacted.Redacted, DecryptionFailed>
  }
>()("@slipway/domain/Vault") {
  /** Provides the vault with an encryption key of 32 bytes. */
  static readonly layer = (key: Redacted.Redacted<Uint8Array>) =>
    Layer.effect(
      Vault,
      Effect.gen(function* () {
        const aead = yield* Aead.Aead
        const random = yield* SecureRandom.SecureRandom
        const secretKey = yield* Effect.orDie(Aead.key(Aead.aes256Gcm, Redacted.value(key)))
        const tryOpen = (owner: SecretOwner, sealed: Sealed) =>
          Effect.gen(function* () {
            const whole = yield* Effect.fromResult(Base64.decode(sealed))
            const opened = yield* aead.decrypt(secretKey, whole.subarray(nonceLength), {
              nonce: whole.subarray(0, nonceLength),
              aad: bindingOf(owner)
            })
            return Redacted.make(decoder.decode(opened))
          }).pipe(Effect.mapError(() => new DecryptionFailed()))
        return Vault.of({
          seal: (owner, secret) =>
            Effect.gen(function* () {
              const nonce = yield* random.randomBytes(nonceLength)
              const text = encoder.encode(Redacted.value(secret))
              const sealed = yield* aead.encrypt(secretKey, text, { nonce, aad: bindingOf(owner) })
              const whole = new Uint8Array(nonce.length + sealed.length)
              whole.set(nonce)
              whole.set(sealed, nonce.length)
              return Sealed.make(Base64.encode(whole))
            }).pipe(Effect.orDie),
          open: (owner, sealed) => Effect.orDie(tryOpen(owner, sealed)),
          tryOpen
        })
      })
    )
}
