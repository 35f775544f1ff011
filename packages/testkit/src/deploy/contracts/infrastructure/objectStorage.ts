import { assert } from "@effect/vitest"
import { FileEncryption, FileNotDecrypted, ObjectStorage } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted, Stream } from "effect"
import type { Contract } from "../../../contract.ts"
import { BucketWorld } from "../../bucketWorld.ts"

const encoder = new TextEncoder()
const bytesOf = (text: string) => Stream.make(encoder.encode(text))
const textOf = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.map(Stream.mkUint8Array(bytes), (all) => new TextDecoder().decode(all))

const opened = Effect.gen(function* () {
  return { ...(yield* BucketWorld), storage: yield* ObjectStorage }
})

/** Contract tests of the S3 object storage that holds backups. Every implementation must pass them. */
export const objectStorage: Contract<BucketWorld | ObjectStorage> = {
  port: "ObjectStorage",
  musts: {
    "accept valid credentials in a connection test, and report wrong ones": Effect.gen(function* () {
      const { access, storage } = yield* opened
      yield* storage.test(access)
      const wrong = yield* Effect.flip(storage.test({ ...access, secretKey: Redacted.make("wrong") }))
      assert.include(wrong.because, "403")
      const missing = yield* Effect.flip(storage.test({ ...access, bucket: "missing" }))
      assert.include(missing.because, "404")
    }),
    "return the written bytes of an object": Effect.gen(function* () {
      const { access, storage } = yield* opened
      yield* storage.write(access, "folder/a b+c.dump", bytesOf("first"))
      yield* storage.write(access, "folder/empty", Stream.empty)
      yield* storage.write(access, "folder/a b+c.dump", Stream.concat(bytesOf("sec"), bytesOf("ond")))
      assert.strictEqual(yield* textOf(storage.read(access, "folder/a b+c.dump")), "second")
      assert.strictEqual(yield* textOf(storage.read(access, "folder/empty")), "")
    }),
    "write an object larger than one part of an upload": Effect.gen(function* () {
      const { access, partSize, storage, uploads } = yield* opened
      // The sizes do not divide a part, which servers with parts of one size would reject.
      const chunks = [...Array.from({ length: 6 }, () => Math.ceil(partSize / 3) + 1), 2 * partSize + 5]
      const sent = chunks.map((size) => new Uint8Array(size).fill(7))
      yield* storage.write(access, "large", Stream.fromIterable(sent))
      const bytes = yield* Stream.mkUint8Array(storage.read(access, "large"))
      assert.strictEqual(bytes.length, 6 * (Math.ceil(partSize / 3) + 1) + 2 * partSize + 5)
      assert.isTrue(bytes.every((byte) => byte === 7))
      assert.deepStrictEqual(yield* uploads, [])
    }),
    "show no object of a failed write, and leave no unfinished upload": Effect.gen(function* () {
      const { access, partSize, storage, uploads } = yield* opened
      const failing = Stream.concat(Stream.make(new Uint8Array(partSize + 1)), Stream.fail("the dump failed" as const))
      assert.strictEqual(yield* Effect.flip(storage.write(access, "partial", failing)), "the dump failed")
      assert.deepStrictEqual(yield* uploads, [])
      assert.include((yield* Effect.flip(textOf(storage.read(access, "partial")))).because, "404")
    }),
    "remove the unfinished uploads of a folder when the next object is written to it": Effect.gen(function* () {
      const { access, leaveUpload, storage, uploads } = yield* opened
      yield* leaveUpload("one/partial")
      yield* leaveUpload("other/partial")
      const left = (yield* uploads).filter((key) => key !== "one/partial")
      yield* storage.write(access, "one/whole", bytesOf("whole"))
      assert.deepStrictEqual(yield* uploads, left)
    }),
    "report a missing object": Effect.gen(function* () {
      const { access, storage } = yield* opened
      assert.include((yield* Effect.flip(textOf(storage.read(access, "missing")))).because, "404")
    }),
    "remove objects, including missing ones": Effect.gen(function* () {
      const { access, storage } = yield* opened
      for (const key of ["a", "b", "c"]) yield* storage.write(access, key, bytesOf(key))
      yield* storage.remove(access, ["a", "missing", "c"])
      yield* storage.remove(access, [])
      assert.strictEqual(yield* textOf(storage.read(access, "b")), "b")
      for (const key of ["a", "c"]) yield* Effect.flip(textOf(storage.read(access, key)))
    })
  }
}

/** Contract tests of file encryption. Every implementation must pass them. */
export const fileEncryption: Contract<FileEncryption> = {
  port: "FileEncryption",
  musts: {
    "recognize valid recipients, and reject other texts": Effect.gen(function* () {
      const { generate, isRecipient } = yield* FileEncryption
      const { identity, recipient } = yield* generate
      assert.isTrue(isRecipient(recipient))
      const last = recipient.endsWith("q") ? "p" : "q"
      for (const text of ["", "age1", `${recipient.slice(0, -1)}${last}`, Redacted.value(identity), ` ${recipient}`]) {
        assert.isFalse(isRecipient(text), text)
      }
    }),
    "decrypt a file with the identity of each of its recipients": Effect.gen(function* () {
      const { decrypt, encrypt, generate, read } = yield* FileEncryption
      const [one, other] = [yield* generate, yield* generate]
      assert.strictEqual((yield* read(one.identity)).recipient, one.recipient)
      const chunks = Stream.fromIterable(Array.from({ length: 40 }, (_, n) => new Uint8Array(5_000).fill(n)))
      const plain = yield* Stream.mkUint8Array(chunks)
      const encrypted = yield* Stream.mkUint8Array(encrypt(chunks, [one.recipient, other.recipient]))
      assert.isAbove(encrypted.length, plain.length)
      for (const { identity } of [one, other]) {
        assert.deepStrictEqual(yield* Stream.mkUint8Array(decrypt(Stream.make(encrypted), identity)), plain)
      }
      const failing = Stream.concat(chunks, Stream.fail("the dump failed" as const))
      assert.strictEqual(yield* Effect.flip(Stream.runDrain(encrypt(failing, [one.recipient]))), "the dump failed")
    }),
    "reject bytes that are incomplete, changed or encrypted for another recipient": Effect.gen(function* () {
      const { decrypt, encrypt, generate } = yield* FileEncryption
      const [one, other] = [yield* generate, yield* generate]
      const encrypted = yield* Stream.mkUint8Array(encrypt(bytesOf("secret".repeat(20_000)), [one.recipient]))
      const changed = encrypted.map((byte, place) => (place === encrypted.length - 1 ? byte ^ 1 : byte))
      const rejects = (bytes: Uint8Array, identity: Redacted.Redacted) =>
        Effect.map(Effect.flip(Stream.runDrain(decrypt(Stream.make(bytes), identity))), (error) =>
          assert.deepStrictEqual(error, new FileNotDecrypted())
        )
      yield* rejects(encrypted, other.identity)
      yield* rejects(changed, one.identity)
      yield* rejects(encrypted.subarray(0, -20), one.identity)
      yield* rejects(encoder.encode("no age file"), one.identity)
    })
  }
}
