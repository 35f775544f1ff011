import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { PasswordHasher } from "@slipway/domain/sign-in"
import { Layer } from "effect"

export { layerCommonPasswords } from "./commonPasswords.ts"

/**
 * Hashes passwords with Node's Argon2id, which runs in threads apart from the one that answers requests.
 *
 * `runSynchronously` bounds how many sign-ins run concurrently, each of which takes 19 MiB.
 */
export const layerPasswordHasher = (atOnce?: number): Layer.Layer<PasswordHasher> =>
  PasswordHasher.layer(atOnce).pipe(
    Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerKdf, NodeCrypto.layerSecureRandom])
  )
