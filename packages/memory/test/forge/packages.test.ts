import { expect, it } from "@effect/vitest"
import { BlobStore, blobKey } from "@slipway/domain/forge/base"
import { UserStore } from "@slipway/domain/forge/identity"
import { packageFiles, packageVersions } from "@slipway/domain/forge/registries"
import { packageSweep } from "@slipway/forge/registries"
import { blobStore, layer } from "@slipway/memory/forge"
import { newPackageOf, newUser, userOwner } from "@slipway/testkit/forge"
import { Effect, Layer, Stream } from "effect"
import { Digest } from "effect/crypto"
import { TestClock } from "effect/testing"

const kept = Effect.flatMap(BlobStore, (blobs) =>
  Effect.map(Stream.runCollect(blobs.list("packages")), (all) => all.map(({ key }) => key).sort())
)

it.effect(
  "package bytes without a version are removed a day after upload, and other package bytes after their version",
  () =>
    Effect.gen(function* () {
      const ann = userOwner(yield* (yield* UserStore).insert(newUser(1)))
      const { packageId, versions } = yield* newPackageOf(ann, "generic", "tool", "1.0")
      const digests = { md5: "", sha1: "", sha256: "", sha512: "" }
      const [version] = versions
      if (version === undefined) return yield* Effect.die("there is no version")
      yield* (yield* packageFiles.store).insert({
        versionId: version.id,
        name: "a",
        blob: "known",
        size: 1,
        ...digests
      })
      const blobs = yield* BlobStore
      for (const name of ["known", "left-behind"]) {
        yield* blobs.put(blobKey("packages", name), Stream.succeed(new Uint8Array(1)), { maxSize: 1 })
      }
      yield* packageSweep.run
      expect(yield* kept).toEqual(["packages/known", "packages/left-behind"])
      yield* TestClock.adjust("25 hours")
      yield* packageSweep.run
      expect(yield* kept).toEqual(["packages/known"])
      yield* (yield* packageVersions.store).remove({ packageId }, version.id)
      yield* packageSweep.run
      expect(yield* kept).toEqual([])
    }).pipe(Effect.provide(Layer.mergeAll(layer, Layer.provide(blobStore, Digest.layerWebCrypto))))
)
