import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { PasswordHasher } from "@slipway/domain/sign-in"
import { Layer } from "effect"

export { layerCommonPasswords } from "./commonPasswords.ts"

/**
 * Hashes passwords with Node's Argon2id in separate threads, so that the main thread keeps handling requests.
 *
 * `atOnce` limits how many passwords are hashed concurrently; each uses 19 MiB of memory.
 */
export const layerPasswordHasher = (atOnce?: number): Layer.Layer<PasswordHasher> =>
  PasswordHasher.layer(atOnce).pipe(
    Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerKdf, NodeCrypto.layerSecureRandom])
  )
