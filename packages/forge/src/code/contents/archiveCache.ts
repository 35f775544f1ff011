import { timeOf } from "@slipway/domain"
import type { Task } from "@slipway/domain/forge/background"
import { type BlobKey, BlobStore, blobKey, type ListedBlob } from "@slipway/domain/forge/base"
import type { GitOverloaded, ObjectId, Repository } from "@slipway/domain/forge/code"
import { Clock, Duration, Effect, Hash, Stream } from "effect"

/** The maximum size of a cached archive, and of the cache, in bytes. */
const largest = 1024 ** 3
const most = 4 * 1024 ** 3
/** How long a cached archive is kept. */
const longest = Duration.hours(24)

/**
 * Returns the cache key of an archive: commits are immutable, and the repository's name is the archive's root folder.
 */
export const archiveKey = (
  { id, name }: Pick<Repository, "id" | "name">,
  commit: ObjectId,
  kind: "tar.gz" | "zip"
): BlobKey => blobKey("archives", `${id}-${commit}-${(Hash.string(name) >>> 0).toString(36)}-${kind.replace(".", "")}`)

/** An archive to send; its size is known if cached. */
export interface OpenArchive {
  readonly bytes: Stream.Stream<Uint8Array, GitOverloaded>
  readonly size: number | undefined
}

const cachedArchive = Effect.fnUntraced(function* (key: BlobKey) {
  const blobs = yield* BlobStore
  const size = yield* blobs.size(key)
  // If the task removes the archive meanwhile, the read completes or breaks off.
  return size === undefined ? undefined : ({ size, bytes: Stream.orDie(blobs.read(key)) } satisfies OpenArchive)
})

/** Opens a cached archive, or creates and caches it unless it is too large. */
export const openArchive = Effect.fnUntraced(function* (key: BlobKey, make: Stream.Stream<Uint8Array, GitOverloaded>) {
  const found = yield* cachedArchive(key)
  if (found !== undefined) return found
  const blobs = yield* BlobStore
  const put = yield* blobs
    .put(key, make, { maxSize: largest })
    .pipe(
      Effect.as(true),
      Effect.catchTags({ BlobTooLarge: () => Effect.succeed(false), BlobMismatch: () => Effect.succeed(false) })
    )
  const archive = put ? yield* cachedArchive(key) : undefined
  return archive ?? ({ bytes: make, size: undefined } satisfies OpenArchive)
})

/** Returns the archives to remove: old ones, and the oldest ones beyond the size limit. */
export const expiredArchives = (archives: ReadonlyArray<ListedBlob>, now: number): ReadonlyArray<BlobKey> => {
  const oldest = timeOf(now - Duration.toMillis(longest))
  let total = 0
  return [...archives]
    .sort((one, other) => (one.writtenAt < other.writtenAt ? 1 : -1))
    .flatMap(({ key, size, writtenAt }) => {
      total += size
      return total > most || writtenAt < oldest ? [key] : []
    })
}

/** Removes archives that are old or exceed the cache size. */
export const archiveCleanup = {
  name: "archive_cleanup",
  schedule: "*/10 * * * *",
  run: Effect.gen(function* () {
    const blobs = yield* BlobStore
    const archives = yield* Stream.runCollect(blobs.list("archives"))
    yield* Effect.forEach(expiredArchives(archives, yield* Clock.currentTimeMillis), blobs.remove, { discard: true })
  })
} satisfies Task<BlobStore>
