import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import type { CommonPasswords, OneTimeCodes, PasswordHasher } from "@slipway/domain/forge/identity"
import { Layer } from "effect"
import { layerOneTimeCodes } from "./oneTimeCodes.ts"
import { layerCommonPasswords, layerPasswordHasher } from "./passwords.ts"

/**
 * Provides password hashing, the list of common passwords and one-time codes. `atOnce` limits how many passwords are
 * hashed concurrently.
 */
export const layer = (atOnce?: number): Layer.Layer<CommonPasswords | OneTimeCodes | PasswordHasher> =>
  Layer.mergeAll(
    layerPasswordHasher(atOnce),
    layerCommonPasswords,
    Layer.provide(layerOneTimeCodes, NodeCrypto.layerSecureRandom)
  )
