import { layerAvatarImages } from "@slipway/avatars"
import { layerFileTypes } from "@slipway/blobs"
import { layer as credentials } from "@slipway/credentials"
import { Vault } from "@slipway/domain"
import { layerCryptography } from "@slipway/http/node"
import { layerMarkdown } from "@slipway/markdown"
import { layerRequestSignatures, layerSignatureChecker } from "@slipway/signatures"
import { layerPublicKeyReader } from "@slipway/ssh/forge"
import { layerRecognition, layerTemplates, layerWorkflowReader } from "@slipway/templates"
import { Layer, type Redacted } from "effect"

export { layerErrorPages } from "./errorPages.ts"
export { layerPages } from "./pages.ts"

/** Provides the services that the use cases of the forge need, except stores, blobs, git and settings. */
export const layerServices = (secretKey: Redacted.Redacted<Uint8Array>) =>
  Layer.mergeAll(
    Vault.layer(secretKey).pipe(Layer.provideMerge(layerCryptography)),
    credentials(),
    layerAvatarImages,
    layerTemplates,
    layerPublicKeyReader,
    layerSignatureChecker,
    layerRequestSignatures,
    layerRecognition,
    layerWorkflowReader,
    layerMarkdown(),
    layerFileTypes
  )
