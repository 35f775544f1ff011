import { Context, Effect } from "effect"
import { Digest } from "effect/crypto"

const encoder = new TextEncoder()

/** Returns the hash under which a random secret, such as a token, is stored: SHA-256 in hexadecimal. */
export const hashOf = (secret: string) =>
  Effect.contextWith((services: Context.Context<Digest.Digest>) =>
    Context.get(services, Digest.Digest).digestHex(Digest.sha256, encoder.encode(secret))
  )
