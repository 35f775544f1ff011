import { Result } from "effect"
import { Base64 } from "effect/encoding"

const encoder = new TextEncoder()
const prefix = "whsec_"

/**
 * Returns the signing key of a webhook according to Standard Webhooks; a secret that begins with `whsec_` is Base64.
 */
export const signingKey = (secret: string): Uint8Array => {
  const written = secret.startsWith(prefix) ? Base64.decode(secret.slice(prefix.length)) : undefined
  const bytes = written === undefined ? undefined : Result.getOrUndefined(written)
  return bytes === undefined || bytes.length === 0 ? encoder.encode(secret) : bytes
}
