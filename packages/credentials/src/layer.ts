import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { type CommonPasswords, type OneTimeCodes, PasswordHasher } from "@slipway/domain/forge/identity"
import { Layer } from "effect"
import { layerCommonPasswords } from "./commonPasswords.ts"
import { layerOneTimeCodes } from "./oneTimeCodes.ts"

/**
 * Hashes passwords with Node's Argon2id, which runs in threads apart from the one that answers requests.
 *
 * `runSynchronously` bounds how many sign-ins run concurrently, each of which takes 19 MiB.
 */
export const layerPasswordHasher = (atOnce?: number): Layer.Layer<PasswordHasher> =>
  PasswordHasher.layer(atOnce).pipe(
    Layer.provide([NodeCrypto.layerDigest, NodeCrypto.layerKdf, NodeCrypto.layerSecureRandom])
  )

/** The services that sign-in needs, without stores, a vault and the settings of the site. */
export const layer = (atOnce?: number): Layer.Layer<CommonPasswords | OneTimeCodes | PasswordHasher> =>
  Layer.mergeAll(
    layerPasswordHasher(atOnce),
    layerCommonPasswords,
    Layer.provide(layerOneTimeCodes, NodeCrypto.layerSecureRandom)
  )
