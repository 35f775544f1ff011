import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layerDirectory, layerS3, readBlobAddress, showBlobAddress } from "@slipway/blobs"
import { s3Server } from "@slipway/blobs/testing"
import { type BlobKey, BlobStore, blobKey } from "@slipway/domain/forge/base"
import { Clock, Effect, Redacted, Result, Schedule, Stream } from "effect"
import { TestClock } from "effect/testing"

const key = blobKey("attachments", "6f9619ff-8b86-4d01-b42d-00cf4fc964ff")
const stored = (_key: BlobKey = key) => `forge/blobs/${_key}`
const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000
const megabyte = (value: number) => new Uint8Array(1_048_576).fill(value)

describe("blobs in a directory", () => {
  it.live("are stored in hashed subfolders with mode 600, and leftovers are removed after a day", () =>
    Effect.gen(function* () {
      const root = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "slipway-blobs-"))),
        (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
      )
      yield* Effect.flatMap(BlobStore, (store) =>
        store.put(key, Stream.succeed(new Uint8Array([1])), { maxSize: 1 })
      ).pipe(Effect.provide(layerDirectory(root)))
      // From `printf attachments/6f9619ff-8b86-4d01-b42d-00cf4fc964ff | sha256sum`.
      const file = join(root, "attachments", "e6/ee", "6f9619ff-8b86-4d01-b42d-00cf4fc964ff")
      const facts = yield* Effect.promise(() => stat(file))
      assert.deepStrictEqual([facts.size, facts.mode & 0o777], [1, 0o600])
      yield* Effect.promise(async () => {
        for (const [name, hours] of [
          ["old", 25],
          ["young", 23]
        ] as const) {
          const path = join(root, "incoming", name)
          await writeFile(path, "")
          await utimes(path, 0, hoursAgo(hours) / 1_000)
        }
      })
      yield* Effect.provide(BlobStore, layerDirectory(root))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(root, "incoming"))), ["young"])
    })
  )

  it.effect("are swept every hour, also in a process that runs for long", () =>
    Effect.gen(function* () {
      const root = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "slipway-blobs-"))),
        (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
      )
      yield* TestClock.setTime(yield* TestClock.withLive(Clock.currentTimeMillis))
      yield* Effect.gen(function* () {
        yield* BlobStore
        yield* Effect.promise(() => writeFile(join(root, "incoming", "left"), ""))
        const names = Effect.promise(() => readdir(join(root, "incoming")))
        yield* TestClock.adjust("24 hours")
        assert.deepStrictEqual(yield* names, ["left"])
        // The disk work of a sweep takes real time, after which the next hour begins.
        const nextHour = Effect.andThen(TestClock.adjust("1 hour"), names)
        yield* Effect.repeat(nextHour, { until: (left) => left.length === 0, times: 1_000 })
        assert.deepStrictEqual(yield* names, [])
      }).pipe(Effect.provide(layerDirectory(root)))
    })
  )
})

describe("blobs in an S3-compatible store", () => {
  it.live("are uploaded in parts when large, and a failed upload is aborted", () =>
    Effect.gen(function* () {
      const { place, state } = yield* s3Server
      yield* Effect.gen(function* () {
        const store = yield* BlobStore
        const bytes = Stream.fromIterable(Array.from({ length: 20 }, (_, n) => megabyte(n)))
        assert.strictEqual((yield* store.put(key, bytes, { maxSize: 20 * 1_048_576 })).size, 20_971_520)
        const body = state.objects.get(stored())?.body ?? Buffer.of()
        assert.deepStrictEqual([body.length, ...[0, 8, 19].map((at) => body[at * 1_048_576])], [20_971_520, 0, 8, 19])
        assert.strictEqual(state.requests.filter((each) => each === `PUT /bucket/${stored()}`).length, 3)
        const other = blobKey("lfs", "ab")
        const failed = yield* Effect.flip(store.put(other, bytes, { maxSize: 18 * 1_048_576 }))
        assert.strictEqual(failed._tag, "BlobTooLarge")
        assert.deepStrictEqual([state.uploads.size, state.objects.has(stored(other))], [0, false])
      }).pipe(Effect.provide(layerS3(place)))
    })
  )

  it.live("are stored without leftovers, because multipart uploads are aborted after a day", () =>
    Effect.gen(function* () {
      const { place, state } = yield* s3Server
      for (const [id, hours] of [
        ["old", 25],
        ["young", 23]
      ] as const) {
        state.uploads.set(id, { key: stored(), initiated: hoursAgo(hours), parts: new Map() })
      }
      yield* Effect.suspend(() => (state.uploads.has("old") ? Effect.fail("still there") : Effect.void)).pipe(
        Effect.retry(Schedule.spaced("10 millis")),
        Effect.timeout("60 seconds"),
        Effect.provide(layerS3(place))
      )
      assert.deepStrictEqual([...state.uploads.keys()], ["young"])
    })
  )

  it.live("are requested again after a temporary error of the store, and a permanent error is reported", () =>
    Effect.gen(function* () {
      const { place, state } = yield* s3Server
      yield* Effect.gen(function* () {
        const store = yield* BlobStore
        yield* store.put(key, Stream.succeed(megabyte(7)), { maxSize: 1_048_576 })
        state.refusals.push(503)
        assert.strictEqual(yield* store.size(key), 1_048_576)
        state.refusals.push(403)
        assert.strictEqual((yield* Effect.exit(store.size(key)))._tag, "Failure")
      }).pipe(Effect.provide(layerS3(place)))
    })
  )
})

describe("the blob store address", () => {
  it("names a directory or a bucket", () => {
    const read = (text: string) => Result.getOrThrow(readBlobAddress(text))
    assert.deepStrictEqual(read("file:/srv/blobs"), { _tag: "Directory", directory: "/srv/blobs" })
    assert.deepStrictEqual(read("file:///srv/blobs"), { _tag: "Directory", directory: "/srv/blobs" })
    const bucket = read("s3://key%2F1:se%2Bcret@s3.example:9000/my-bucket/a/b?region=eu-1&tls=off")
    assert.deepStrictEqual(bucket._tag === "S3" && { ...bucket.place, secret: Redacted.value(bucket.place.secret) }, {
      endpoint: "http://s3.example:9000",
      region: "eu-1",
      bucket: "my-bucket",
      prefix: "a/b/",
      bucketInHost: false,
      keyId: "key/1",
      secret: "se+cret"
    })
    assert.strictEqual(showBlobAddress(bucket), "http://s3.example:9000/my-bucket/a/b/")
  })

  it.each([
    "",
    "file:",
    "/srv/blobs",
    "s3://s3.example/bucket",
    "s3://key:hidden@s3.example",
    "s3://key:hidden@s3.example/b",
    "s3://key:hidden@s3.example/bucket/../other/%2e%2e",
    "s3://key:hidden@s3.example/bucket?tls=maybe",
    "s3://key:hidden@s3.example/bucket?unknown=1",
    "s3://key:hidden%@s3.example/bucket",
    "https://key:hidden@s3.example/bucket"
  ])("is rejected in any other form: %s", (text) => {
    const problem = Result.getOrThrow(Result.flip(readBlobAddress(text)))
    assert.match(problem, /^must be file:<directory> or s3:/)
    assert.notInclude(problem, "hidden")
  })
})
