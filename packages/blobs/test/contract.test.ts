import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerDirectory, layerS3 } from "@slipway/blobs"
import { s3Server } from "@slipway/blobs/testing"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "slipway-blobs-"))),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
)

register("a directory", Layer.unwrap(Effect.map(directory, layerDirectory)), [Contracts.blobs])

register("an S3-compatible store", Layer.unwrap(Effect.map(s3Server, ({ place }) => layerS3(place))), [Contracts.blobs])
