import { OneTimeCodes, stepLength } from "@slipway/domain/forge/identity"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { HOTP, Secret, TOTP } from "otpauth"

const algorithm = "SHA1"
const digits = 6
/** The length of a shared secret in bytes. It equals the length of a SHA-1 digest, as RFC 4226 recommends. */
const secretLength = 20

/** Provides one-time codes (TOTP) with the otpauth library. */
export const layerOneTimeCodes: Layer.Layer<OneTimeCodes, never, SecureRandom.SecureRandom> = Layer.effect(
  OneTimeCodes,
  Effect.map(SecureRandom.SecureRandom, (random) => ({
    makeSecret: Effect.map(random.randomBytes(secretLength), (bytes) =>
      Redacted.make(new Secret({ buffer: new Uint8Array(bytes).buffer }).base32)
    ),
    code: (secret, step) =>
      Effect.sync(() =>
        HOTP.generate({ secret: Secret.fromBase32(Redacted.value(secret)), counter: step, algorithm, digits })
      ),
    address: (secret, issuer, account) =>
      new TOTP({
        issuer,
        label: account,
        secret: Redacted.value(secret),
        algorithm,
        digits,
        period: stepLength
      }).toString()
  }))
)
