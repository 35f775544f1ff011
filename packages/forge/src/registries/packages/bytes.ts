import {
  type BlobFacts,
  BlobStore,
  type BlobTerms,
  blobKey,
  type FurtherDigests,
  SiteSettings
} from "@slipway/domain/forge/base"
import { Effect, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { uuidOf } from "../../code/attachments/Attachments.ts"
import type { Download } from "../../code/contents/downloads.ts"

const megabyte = 1_048_576

/** The maximum size of a package file or an image blob, in bytes. */
export const largestPackageFile = Effect.map(SiteSettings, ({ packages: { maxFileSize } }) => maxFileSize * megabyte)

/** Returns the key of the blob of a file. */
export const keyOf = (blob: string) => blobKey("packages", blob)

/** Generates a name for a blob or an upload. */
export const freshUuid = Effect.flatMap(SecureRandom.SecureRandom, (random) =>
  Effect.map(random.randomBytes(16), uuidOf)
)

/** A stored blob, with its digests and size. */
export interface StoredBlob {
  readonly blob: string
  readonly facts: BlobFacts & FurtherDigests
}

/** Stores bytes as a blob with a new random name; the nightly sweep removes the blob if no row references it. */
export const keepBytes = Effect.fnUntraced(function* <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, terms: BlobTerms) {
  const blob = yield* freshUuid
  const facts = yield* (yield* BlobStore).putWithDigests(keyOf(blob), bytes, terms)
  return { blob, facts } satisfies StoredBlob
})

/**
 * Removes blobs after their row could not be stored.
 *
 * Must not be called after an interruption: the row may have been committed. The nightly sweep removes such leftovers.
 */
export const drop = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const blobs = yield* BlobStore
  yield* Effect.forEach(names, (name) => blobs.remove(keyOf(name)), { concurrency: 8, discard: true })
})

/** Returns a function that streams the content of a blob, or only a byte range of it. */
export const bytesOf = (blob: string) =>
  Effect.map(
    BlobStore,
    (blobs): Download["bytes"] =>
      (range) =>
        Stream.orDie(blobs.read(keyOf(blob), range && { first: range.offset, last: range.offset + range.length - 1 }))
  )
