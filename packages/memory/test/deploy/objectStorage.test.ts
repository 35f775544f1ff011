import { BucketSimulation, objectStorage } from "@slipway/memory/deploy"
import { register } from "@slipway/testkit"
import { BucketWorld, Contracts } from "@slipway/testkit/deploy"
import { Effect, Layer, Redacted } from "effect"

const world = Layer.effect(
  BucketWorld,
  Effect.gen(function* () {
    yield* (yield* BucketSimulation).create("bucket", "secret")
    return {
      access: {
        endpoint: "https://s3.example",
        region: "eu-north-7",
        bucket: "bucket",
        accessKey: Redacted.make("key"),
        secretKey: Redacted.make("secret")
      },
      partSize: 4_096,
      // Uploads of the simulation are never unfinished.
      leaveUpload: () => Effect.void,
      uploads: Effect.succeed([])
    }
  })
)

register("S3 in memory", Layer.provideMerge(world, objectStorage), [Contracts.objectStorage])
