import { describe, expect, it } from "@effect/vitest"
import { layerObjectStorage } from "@slipway/blobs/deploy"
import { accessOf, keyId, s3Server } from "@slipway/blobs/testing"
import { ObjectStorage } from "@slipway/domain/deploy/infrastructure"
import { layerEgress } from "@slipway/egress"
import { Effect, Layer, Redacted, Stream } from "effect"

const storageOver = (options: Parameters<typeof layerEgress>[0]) =>
  Layer.provide(layerObjectStorage, layerEgress(options))

describe("S3 storage of backups", () => {
  it.live("reaches no private address that the egress rule denies", () =>
    Effect.gen(function* () {
      const { place, state } = yield* s3Server
      const { because } = yield* Effect.flip((yield* ObjectStorage).test(accessOf(place)))
      expect(because).toContain("127.0.0.1 is private and this instance doesn't allow that")
      expect(state.requests).toEqual([])
    }).pipe(Effect.provide(storageOver({ allowPrivate: false })))
  )

  it.live("checks the addresses of the endpoint's name, and connects to a checked one", () =>
    Effect.gen(function* () {
      const { place, state } = yield* s3Server
      const named = { ...accessOf(place), endpoint: place.endpoint.replace("127.0.0.1", "s3.example") }
      const storage = yield* ObjectStorage
      yield* storage.test(named)
      expect(state.requests).toEqual(["GET /bucket/"])
    }).pipe(Effect.provide(storageOver({ allowPrivate: true, lookup: async () => ["127.0.0.1"] })))
  )

  it.live("retries a request that the server failed, and reports a lasting failure without the access key", () =>
    Effect.gen(function* () {
      const { place, state } = yield* s3Server
      const storage = yield* ObjectStorage
      const access = accessOf(place)
      state.refusals.push(503)
      yield* storage.write(access, "a/b", Stream.make(new Uint8Array([1, 2, 3])))
      expect([...(state.objects.get("a/b")?.body ?? [])]).toEqual([1, 2, 3])
      // The failed request is the first one, which lists unfinished uploads.
      expect(state.requests).toEqual(["GET /bucket/", "GET /bucket/", "PUT /bucket/a/b"])
      const wrong = { ...access, secretKey: Redacted.make("wrong") }
      const { because } = yield* Effect.flip(storage.write(wrong, "a/c", Stream.make(new Uint8Array([1]))))
      expect(because).toMatch(/^the S3 server responds with 403: SignatureDoesNotMatch/)
      expect(because).not.toContain(keyId)
    }).pipe(Effect.provide(storageOver({ allowPrivate: true })))
  )
})
