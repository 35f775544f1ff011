import { hash } from "node:crypto"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"

/** Computes digests with Node's one-shot `hash` function, which takes half the time of a hash object for a token. */
const layerDigest = Layer.succeed(Digest.Digest, {
  digest: ({ name }, data) => Effect.sync(() => new Uint8Array(hash(name, data, "buffer"))),
  digestHex: ({ name }, data) => Effect.sync(() => hash(name, data))
})

/**
 * The cryptography services of forge and deploy; uses `node:crypto` instead of Web Crypto where possible.
 *
 * Web Crypto hashes in a separate thread, which takes thirty times as long for an input as short as a token.
 */
export const layerCryptography = Layer.mergeAll(
  NodeCrypto.layerAead,
  layerDigest,
  NodeCrypto.layerMac,
  NodeCrypto.layerSecureRandom
)
