import { layerBundleCipher, layerFileEncryption, layerObjectStorage, partSize } from "@slipway/blobs/deploy"
import { accessOf, s3Server } from "@slipway/blobs/testing"
import { layerEgress } from "@slipway/egress"
import { register } from "@slipway/testkit"
import { BucketWorld, Contracts } from "@slipway/testkit/deploy"
import { Effect, Layer } from "effect"

const world = Layer.effect(
  BucketWorld,
  Effect.map(s3Server, ({ place, state }) => ({
    access: accessOf(place),
    partSize,
    leaveUpload: (key) =>
      Effect.sync(() => void state.uploads.set(`left-${key}`, { key, initiated: 0, parts: new Map() })),
    uploads: Effect.sync(() => [...state.uploads.values()].map(({ key }) => key))
  }))
)

register(
  "an S3-compatible server",
  Layer.merge(world, Layer.provide(layerObjectStorage, layerEgress({ allowPrivate: true }))),
  [Contracts.objectStorage]
)

register("age with passphrases", layerBundleCipher, [Contracts.bundleCipher])
register("age", layerFileEncryption, [Contracts.fileEncryption])
