import { hash } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"

/** Node's one-shot hash needs no hash object: a token is hashed in half the time. */
const layerDigest = Layer.succeed(Digest.Digest, {
  digest: ({ name }, data) => Effect.sync(() => new Uint8Array(hash(name, data, "buffer"))),
  digestHex: ({ name }, data) => Effect.sync(() => hash(name, data))
})

/**
 * The cryptography of both services, by Node's own where it has it.
 *
 * Web Crypto hashes in a separate thread, which takes thirty times as long as the hash of a token.
 */
export const layerCryptography = Layer.mergeAll(
  NodeCrypto.layerAead,
  layerDigest,
  NodeCrypto.layerMac,
  NodeCrypto.layerSecureRandom
)
