import { assert } from "@effect/vitest"
import { type BlobKey, BlobStore, type blobAreas, blobKey } from "@slipway/domain/forge/base"
import { Deferred, Effect, Exit, Fiber, Stream } from "effect"
import type { Contract } from "../../../contract.ts"
import { equal } from "./fixtures.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const key = (n: number) => blobKey("attachments", `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`)
const bytesOf = (...texts: ReadonlyArray<string>) => Stream.fromIterable(texts.map((text) => encoder.encode(text)))
const roomy = { maxSize: 1_000 }
const other = "0000000000000000000000000000000000000000000000000000000000000000"
// The output of `printf 'Hello, blob' | sha256sum`, and the digest of no bytes.
const helloHash = "cfd783f1773526ac4092b766da1194b77f4ce97dcc952b772e284e6ceb7c43c8"
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

const whole = Effect.fnUntraced(function* (
  stored: BlobKey,
  range?: { readonly first: number; readonly last?: number }
) {
  const chunks = yield* Stream.runCollect((yield* BlobStore).read(stored, range))
  return chunks.map((chunk) => decoder.decode(chunk)).join("")
})

const put = (stored: BlobKey, ...texts: ReadonlyArray<string>) =>
  Effect.flatMap(BlobStore, (store) => store.put(stored, bytesOf(...texts), roomy))

const keysOf = Effect.fnUntraced(function* (area: (typeof blobAreas)[number]) {
  return (yield* Stream.runCollect((yield* BlobStore).list(area))).map((each) => each.key).sort()
})

/** A stream that sends its first bytes and then hangs. */
const endless = (sent: Deferred.Deferred<void>) =>
  bytesOf("begun ").pipe(
    Stream.concat(Stream.fromEffectDrain(Deferred.succeed(sent, undefined))),
    Stream.concat(Stream.never)
  )

/** Contract tests of the store of blobs (binary files). Every implementation must pass them. */
export const blobs: Contract<BlobStore> = {
  port: "BlobStore",
  musts: {
    "return bytes as stored, with their size and SHA-256": Effect.gen(function* () {
      const store = yield* BlobStore
      equal(yield* put(key(1), "Hello", "", ", blob"), { size: 11, sha256: helloHash })
      equal([yield* whole(key(1)), yield* store.size(key(1))], ["Hello, blob", 11])
      equal(yield* put(key(2)), { size: 0, sha256: emptyHash })
      equal([yield* whole(key(2)), yield* store.size(key(2))], ["", 0])
      // Every byte value, in more bytes than a store sends in one chunk.
      const noise = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 31 + (at >> 8)) % 256)
      equal((yield* store.put(key(3), Stream.succeed(noise), { maxSize: 300_000 })).size, 300_000)
      const read = yield* Stream.runCollect(store.read(key(3)))
      const back = new Uint8Array(300_000)
      let at = 0
      for (const chunk of read) {
        back.set(chunk, at)
        at += chunk.length
      }
      assert.isTrue(back.every((byte, place) => byte === noise[place]))
    }),
    "return further digests on request": Effect.gen(function* () {
      const store = yield* BlobStore
      const digests = yield* store.putWithDigests(key(1), bytesOf("Hello", ", blob"), roomy)
      // The output of `printf 'Hello, blob' | md5sum`, and of the other digest programs.
      equal(digests, {
        size: 11,
        sha256: helloHash,
        md5: "86c68640dcf2030ff5e544808c32a384",
        sha1: "b73e8ebd681ca65a5a89da15886457ea9ce9f06d",
        sha512:
          "efb6b682ee945a4d6948fb3a1b1e3a2021156ef26856c84d531654f0b188c12fc24926334cfcef41d2e4fdb18aad360f6902af8888c8a2d81116731389c6b058"
      })
      equal(yield* whole(key(1)), "Hello, blob")
      const tooMany = yield* Effect.flip(store.putWithDigests(key(2), bytesOf("Hello, blob"), { maxSize: 10 }))
      equal([tooMany._tag, yield* keysOf("attachments")], ["BlobTooLarge", [key(1)]])
    }),
    "show the previous content until the new blob is complete": Effect.gen(function* () {
      const store = yield* BlobStore
      yield* put(key(2), "before")
      const [sent, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = bytesOf("first ").pipe(
        Stream.concat(Stream.fromEffectDrain(Deferred.succeed(sent, undefined))),
        Stream.concat(Stream.unwrap(Effect.as(Deferred.await(go), bytesOf("last"))))
      )
      for (const [stored, shown] of [
        [key(1), []],
        [key(2), ["before"]]
      ] as const) {
        const writing = yield* Effect.forkChild(store.put(stored, slow, roomy))
        yield* Deferred.await(sent)
        equal(yield* store.size(stored), shown[0]?.length)
        equal(yield* keysOf("attachments"), [key(2)])
        if (shown[0] !== undefined) equal(yield* whole(stored), shown[0])
        if (stored === key(1)) yield* Fiber.interrupt(writing)
        else {
          yield* Deferred.succeed(go, undefined)
          yield* Fiber.join(writing)
        }
      }
      equal(yield* whole(key(2)), "first last")
    }),
    "store no bytes above the limit, with a wrong digest or size, or from a failed sender": Effect.gen(function* () {
      const store = yield* BlobStore
      const hello = bytesOf("Hello", ", blob")
      const attempts = [
        [store.put(key(1), hello, { maxSize: 10 }), "BlobTooLarge"],
        [store.put(key(1), hello, { maxSize: 11, expected: { size: 12 } }), "BlobTooLarge"],
        [store.put(key(1), hello, { maxSize: 12, expected: { size: 12 } }), "BlobMismatch"],
        [store.put(key(1), hello, { maxSize: 12, expected: { size: 10 } }), "BlobMismatch"],
        [store.put(key(1), hello, { maxSize: 12, expected: { sha256: other } }), "BlobMismatch"],
        [store.put(key(1), Stream.concat(hello, Stream.fail({ _tag: "Cut" as const })), roomy), "Cut"]
      ] as const
      for (const [attempt, tag] of attempts) equal((yield* Effect.flip(attempt))._tag, tag)
      assert.isUndefined(yield* store.size(key(1)))
      equal(yield* keysOf("attachments"), [])
      const right = { maxSize: 11, expected: { size: 11, sha256: helloHash } }
      equal((yield* store.put(key(1), hello, right)).size, 11)
    }),
    "store no bytes from an interrupted sender": Effect.gen(function* () {
      const store = yield* BlobStore
      const sent = yield* Deferred.make<void>()
      const writing = yield* Effect.forkChild(store.put(key(1), endless(sent), roomy))
      yield* Deferred.await(sent)
      yield* Fiber.interrupt(writing)
      assert.isUndefined(yield* store.size(key(1)))
      equal(yield* keysOf("attachments"), [])
    }),
    "read a range of a blob, up to its end": Effect.gen(function* () {
      yield* put(key(1), "0123", "456789")
      for (const [range, text] of [
        [{ first: 0 }, "0123456789"],
        [{ first: 3, last: 5 }, "345"],
        [{ first: 9 }, "9"],
        [{ first: 0, last: 0 }, "0"],
        [{ first: 7, last: 70 }, "789"],
        [{ first: 10 }, ""],
        [{ first: 11, last: 20 }, ""]
      ] as const) {
        equal(yield* whole(key(1), range), text)
      }
    }),
    "report a missing blob on reads and on size requests": Effect.gen(function* () {
      equal((yield* Effect.flip(whole(key(9))))._tag, "BlobNotFound")
      equal((yield* Effect.flip(whole(key(9), { first: 3 })))._tag, "BlobNotFound")
      assert.isUndefined(yield* (yield* BlobStore).size(key(9)))
    }),
    "remove a blob, and accept a missing one": Effect.gen(function* () {
      const store = yield* BlobStore
      for (const n of [1, 2]) yield* put(key(n), "x")
      for (const n of [1, 1, 9]) yield* store.remove(key(n))
      assert.isUndefined(yield* store.size(key(1)))
      equal(yield* keysOf("attachments"), [key(2)])
    }),
    "finish or fail the read of a replaced or removed blob, without mixing contents": Effect.gen(function* () {
      const store = yield* BlobStore
      const large = (value: number) => Stream.succeed(new Uint8Array(2_000_000).fill(value))
      for (const change of [store.put(key(1), large(2), { maxSize: 2_000_000 }), store.remove(key(1))]) {
        yield* store.put(key(1), large(1), { maxSize: 2_000_000 })
        let seen = 0
        const reading = Stream.runForEach(store.read(key(1)), (chunk) => {
          assert.isTrue(chunk.every((byte) => byte === 1))
          seen += chunk.length
          return seen === chunk.length ? Effect.asVoid(change) : Effect.void
        })
        const exit = yield* Effect.exit(reading)
        if (Exit.isSuccess(exit)) equal(seen, 2_000_000)
      }
    }),
    "list the blobs of an area once each, with size and time": Effect.gen(function* () {
      const store = yield* BlobStore
      equal(yield* keysOf("attachments"), [])
      for (const n of [1, 2, 3, 2]) yield* put(key(n), "x".repeat(n))
      yield* put(blobKey("lfs", "ab"), "of another area")
      const listed = yield* Stream.runCollect(store.list("attachments"))
      equal(listed.map((each) => [each.key, each.size]).sort(), [
        [key(1), 1],
        [key(2), 2],
        [key(3), 3]
      ])
      for (const { writtenAt } of listed) assert.match(writtenAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      equal(yield* keysOf("lfs"), [blobKey("lfs", "ab")])
      equal(yield* keysOf("packages"), [])
    }),
    "store bytes of concurrent senders, also under one key": Effect.gen(function* () {
      const store = yield* BlobStore
      const texts = Array.from({ length: 8 }, (_, n) => String(n).repeat(100))
      yield* Effect.forEach(texts, (text) => put(key(1), text), { concurrency: "unbounded" })
      assert.include(texts, yield* whole(key(1)))
      yield* Effect.forEach(texts, (text, n) => put(key(10 + n), text), { concurrency: "unbounded" })
      for (const [n, text] of texts.entries()) equal(yield* whole(key(10 + n)), text)
      yield* store.remove(key(1))
      equal((yield* keysOf("attachments")).length, 8)
    })
  }
}
