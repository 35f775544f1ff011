import { Context, Effect } from "effect"
import { Digest } from "effect/crypto"

const encoder = new TextEncoder()

/** Returns the hash by which a random secret is stored: SHA-256, in hex. */
export const hashOf = (secret: string) =>
  Effect.contextWith((services: Context.Context<Digest.Digest>) =>
    Context.get(services, Digest.Digest).digestHex(Digest.sha256, encoder.encode(secret))
  )
