import { layerPictures } from "@slipway/avatars"
import { layerFileTypes } from "@slipway/blobs"
import { layer as credentials } from "@slipway/credentials"
import { Vault } from "@slipway/domain"
import { layerMarkdown } from "@slipway/markdown"
import { layerSignatureChecker } from "@slipway/signatures"
import { layerPublicKeyReader } from "@slipway/ssh/forge"
import { layerRecognition, layerTemplates } from "@slipway/templates"
import { Layer, type Redacted } from "effect"
import { Aead, Digest, Mac, SecureRandom } from "effect/crypto"

/** Digests, authentication and random bytes, by the platform's own. */
export const cryptography = Layer.mergeAll(
  Digest.layerWebCrypto,
  Layer.merge(Aead.layerWebCrypto, Mac.layerWebCrypto).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))
)

/** Everything that the use cases of the forge work with besides stores, bytes, git and settings. */
export const layerServices = (secretKey: Redacted.Redacted<Uint8Array>) =>
  Layer.mergeAll(
    Vault.layer(secretKey).pipe(Layer.provideMerge(cryptography)),
    credentials(),
    layerPictures,
    layerTemplates,
    layerPublicKeyReader,
    layerSignatureChecker,
    layerRecognition,
    layerMarkdown(),
    layerFileTypes
  )
