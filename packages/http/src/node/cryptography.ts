import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer } from "effect"

/**
 * The cryptography of both services, by Node's own where it has it.
 *
 * Web Crypto hashes in a thread beside, which takes thirty times as long as the hash of a token.
 */
export const layerCryptography = Layer.mergeAll(
  NodeCrypto.layerAead,
  NodeCrypto.layerDigest,
  NodeCrypto.layerMac,
  NodeCrypto.layerSecureRandom
)
