import { timeOf } from "@slipway/domain"
import type { Task } from "@slipway/domain/forge/background"
import { type BlobKey, BlobStore, blobKey, type ListedBlob } from "@slipway/domain/forge/base"
import type { GitOverloaded, ObjectId, Repository } from "@slipway/domain/forge/code"
import { Clock, Duration, Effect, Hash, Stream } from "effect"

/** The maximum size of a cached archive, and of the cache, in bytes. */
const largest = 1024 ** 3
const most = 4 * 1024 ** 3
/** How long an archive stays in the cache. */
const longest = Duration.hours(24)

/**
 * Returns the cache key of an archive. It contains the commit, because commits never change, and the repository's name,
 * because the root folder of the archive has this name.
 */
export const archiveKey = (
  { id, name }: Pick<Repository, "id" | "name">,
  commit: ObjectId,
  kind: "tar.gz" | "zip"
): BlobKey => blobKey("archives", `${id}-${commit}-${(Hash.string(name) >>> 0).toString(36)}-${kind.replace(".", "")}`)

/** An archive to send. Its size in bytes is known only if it is cached. */
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

/**
 * Returns an archive from the cache. If it is missing, the archive is created with `make` and cached, unless it is too
 * large.
 */
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

/**
 * Returns the keys of the cached archives to remove: those that are too old, and the oldest ones if the cache is too
 * large.
 */
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

/** The scheduled task that removes cached archives that are too old or exceed the size of the cache. */
export const archiveCleanup = {
  name: "archive_cleanup",
  schedule: "*/10 * * * *",
  run: Effect.gen(function* () {
    const blobs = yield* BlobStore
    const archives = yield* Stream.runCollect(blobs.list("archives"))
    yield* Effect.forEach(expiredArchives(archives, yield* Clock.currentTimeMillis), blobs.remove, { discard: true })
  })
} satisfies Task<BlobStore>
