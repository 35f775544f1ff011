import { hash } from "node:crypto"
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { Hex } from "effect/encoding"

const digest: Digest.Digest["Service"]["digest"] = (algorithm, data) =>
  Effect.sync(() => algorithm.implementation?.(data) ?? hash(algorithm.name, data, "buffer"))

/** Computes digests at once: of a token it takes a microsecond, and the turn to another thread and back takes twenty. */
export const layerDigest: Layer.Layer<Digest.Digest> = Layer.succeed(Digest.Digest, {
  digest,
  digestHex: (algorithm, data) => Effect.map(digest(algorithm, data), Hex.encode)
})
