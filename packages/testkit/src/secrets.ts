import { Vault } from "@slipway/domain"
import { Layer, Redacted } from "effect"
import { Aead, Digest, Mac, SecureRandom } from "effect/crypto"

/** Provides a vault (encryption of secrets) with a fixed test key and real randomness. */
export const testLayer = Vault.layer(Redacted.make(new Uint8Array(32).fill(7))).pipe(
  Layer.provideMerge(Layer.mergeAll(Aead.layerWebCrypto, Mac.layerWebCrypto)),
  Layer.provideMerge(Layer.mergeAll(SecureRandom.layerWebCrypto, Digest.layerWebCrypto))
)
