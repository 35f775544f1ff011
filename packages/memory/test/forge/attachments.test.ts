import { describe, expect, it } from "@effect/vitest"
import { BlobStore, blobKey, defaultSite, SiteSettings } from "@slipway/domain/forge/base"
import { type AttachedTo, FileTypes, RepositoryStore } from "@slipway/domain/forge/code"
import { type IssueId, issues } from "@slipway/domain/forge/collaboration"
import { UserStore } from "@slipway/domain/forge/identity"
import { Attachments, attachmentSweep } from "@slipway/forge/code"
import { blobStore, layer } from "@slipway/memory/forge"
import { newIssueIn, newRepository, newUser } from "@slipway/testkit/forge"
import { Effect, Layer, Stream } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"

// A fake that detects types by the first byte. The tests of the adapter check real types.
const types = Layer.succeed(FileTypes, {
  typeOf: (head) => Effect.succeed(head[0] === 0x50 ? "image/png" : "text/plain")
})
const settings = { ...defaultSite.attachment, allowedTypes: "image/*", maxFiles: 2, maxSize: 1 }
const fixture = Layer.mergeAll(
  layer,
  types,
  SecureRandom.layerWebCrypto,
  Layer.provide(blobStore, Digest.layerWebCrypto),
  SiteSettings.layer({ attachment: settings })
)

const thing = Effect.gen(function* () {
  const ann = yield* (yield* UserStore).insert(newUser(1))
  const site = yield* (yield* RepositoryStore).insert(newRepository(1, { kind: "user", id: ann.id }))
  const { id } = yield* newIssueIn(site.id, ann.id, "The door")
  return { ann, to: { repositoryId: site.id, kind: "issue", id } satisfies AttachedTo }
})

const bytes = (...texts: ReadonlyArray<string>) =>
  Stream.fromIterable(texts.map((text) => new TextEncoder().encode(text)))
const kept = Effect.flatMap(BlobStore, (blobs) =>
  Effect.map(Stream.runCollect(blobs.list("attachments")), (all) => all.length)
)

describe("attachments", () => {
  it.effect("are stored with their bytes, read, renamed and removed", () =>
    Effect.gen(function* () {
      const { ann, to } = yield* thing
      const made = yield* Attachments.attach(to, ann.id, { name: "a.png", bytes: bytes("P", "NG"), size: 3 })
      expect(made).toMatchObject({ name: "a.png", size: 3, type: "image/png", downloadCount: 0, uploaderId: ann.id })
      expect(made.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const { bytes: read } = yield* Attachments.download(made.uuid)
      const whole = (yield* Stream.runCollect(read)).map((chunk) => new TextDecoder().decode(chunk))
      expect(whole.join("")).toBe("PNG")
      expect(yield* Attachments.change(to, made.id, { name: "b.png" })).toMatchObject({
        name: "b.png",
        downloadCount: 1
      })
      yield* Attachments.remove(to, made.id)
      expect(yield* kept).toBe(0)
    }).pipe(Effect.provide(fixture))
  )

  it.effect("are rejected by name, type, size, number and wrong length, and rejected ones are not stored", () =>
    Effect.gen(function* () {
      const { ann, to } = yield* thing
      const refused = (name: string, sent: Stream.Stream<Uint8Array>, size?: number) =>
        Effect.map(Effect.flip(Attachments.attach(to, ann.id, { name, bytes: sent, size })), ({ _tag }) => _tag)
      expect(yield* refused("../a", bytes("P"))).toBe("AttachmentRefused")
      expect(yield* refused("a.png", bytes("<html>"))).toBe("AttachmentRefused")
      expect(yield* refused("a.png", bytes())).toBe("AttachmentRefused")
      const large = Stream.fromIterable(
        ["P".repeat(1_000_000), "P".repeat(48_577)].map((text) => new TextEncoder().encode(text))
      )
      expect(yield* refused("a.png", large)).toBe("BlobTooLarge")
      expect(yield* refused("a.png", bytes("PNG"), 4)).toBe("BlobMismatch")
      expect(yield* refused("a.png", bytes("PNG"), 2_000_000_000)).toBe("BlobTooLarge")
      expect(yield* kept).toBe(0)
      for (const name of ["1.png", "2.png"]) yield* Attachments.attach(to, ann.id, { name, bytes: bytes("P") })
      expect(yield* refused("3.png", bytes("P"))).toBe("AttachmentRefused")
      expect(yield* kept).toBe(2)
    }).pipe(Effect.provide(fixture))
  )

  it.effect("keep the bytes of stored rows, while orphaned bytes are deleted after a day", () =>
    Effect.gen(function* () {
      const { ann, to } = yield* thing
      const made = yield* Attachments.attach(to, ann.id, { name: "a.png", bytes: bytes("P") })
      const blobs = yield* BlobStore
      yield* blobs.put(blobKey("attachments", "left-behind"), bytes("x"), { maxSize: 1 })
      expect(yield* Attachments.sweep).toBe(0)
      yield* TestClock.adjust("25 hours")
      expect(yield* Attachments.sweep).toBe(1)
      expect(yield* blobs.size(blobKey("attachments", made.uuid))).toBe(1)
      // Deleting the issue deletes the row, and the next nightly job the bytes.
      yield* (yield* issues.store).remove({ repositoryId: to.repositoryId }, to.id as IssueId)
      yield* attachmentSweep.run
      expect(yield* kept).toBe(0)
    }).pipe(Effect.provide(fixture))
  )
})
