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

/** How large a file of a package, or a blob of an image, may be. */
export const largestPackageFile = Effect.map(SiteSettings, ({ packages: { maxFileSize } }) => maxFileSize * megabyte)

/** Returns the key of the blob of a file. */
export const keyOf = (blob: string) => blobKey("packages", blob)

/** Makes a name for a blob or an upload. */
export const freshUuid = Effect.flatMap(SecureRandom.SecureRandom, (random) =>
  Effect.map(random.randomBytes(16), uuidOf)
)

/** The blob of bytes that were kept, and what was found out about them. */
export interface KeptBytes {
  readonly blob: string
  readonly facts: BlobFacts & FurtherDigests
}

/** Keeps bytes under a fresh name: what nothing comes to know is swept. */
export const keepBytes = Effect.fnUntraced(function* <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, terms: BlobTerms) {
  const blob = yield* freshUuid
  const facts = yield* (yield* BlobStore).putWithDigests(keyOf(blob), bytes, terms)
  return { blob, facts } satisfies KeptBytes
})

/**
 * Removes the bytes of blobs that nothing knows: after a failure, and never after an interruption, which may come when all is
 * committed; what that leaves is swept.
 */
export const drop = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const blobs = yield* BlobStore
  yield* Effect.forEach(names, (name) => blobs.remove(keyOf(name)), { concurrency: 8, discard: true })
})

/** Returns how the bytes of a blob are downloaded, whole or in part. */
export const bytesOf = (blob: string) =>
  Effect.map(
    BlobStore,
    (blobs): Download["bytes"] =>
      (range) =>
        Stream.orDie(blobs.read(keyOf(blob), range && { first: range.offset, last: range.offset + range.length - 1 }))
  )
