import { Result } from "effect"
import { Base64 } from "effect/encoding"

const encoder = new TextEncoder()
const prefix = "whsec_"

/**
 * Returns the bytes with which webhook deliveries are signed (Standard Webhooks). A secret that begins with `whsec_` is
 * decoded from base64.
 */
export const signingKey = (secret: string): Uint8Array => {
  const written = secret.startsWith(prefix) ? Base64.decode(secret.slice(prefix.length)) : undefined
  const bytes = written === undefined ? undefined : Result.getOrUndefined(written)
  return bytes === undefined || bytes.length === 0 ? encoder.encode(secret) : bytes
}
