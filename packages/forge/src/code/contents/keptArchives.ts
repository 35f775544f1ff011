import { timeOf } from "@slipway/domain"
import type { Task } from "@slipway/domain/forge/background"
import { type BlobKey, BlobStore, blobKey, type ListedBlob } from "@slipway/domain/forge/base"
import type { GitOverloaded, ObjectId, Repository } from "@slipway/domain/forge/code"
import { Clock, Duration, Effect, Hash, Stream } from "effect"

/** How large an archive may be that is kept, and how much is kept in all, in bytes. */
const largest = 1024 ** 3
const most = 4 * 1024 ** 3
/** How long a cached archive is kept. */
const longest = Duration.hours(24)

/** Returns under which key an archive is kept: commits stay as they are, and the name of the repository is that of its folder. */
export const archiveKey = (
  { id, name }: Pick<Repository, "id" | "name">,
  commit: ObjectId,
  kind: "tar.gz" | "zip"
): BlobKey => blobKey("archives", `${id}-${commit}-${(Hash.string(name) >>> 0).toString(36)}-${kind.replace(".", "")}`)

/** An archive that is about to be sent; its size is known when it is kept. */
export interface OpenArchive {
  readonly bytes: Stream.Stream<Uint8Array, GitOverloaded>
  readonly size: number | undefined
}

const kept = Effect.fnUntraced(function* (key: BlobKey) {
  const blobs = yield* BlobStore
  const size = yield* blobs.size(key)
  // If the task removes the archive meanwhile, the read completes or breaks off.
  return size === undefined ? undefined : ({ size, bytes: Stream.orDie(blobs.read(key)) } satisfies OpenArchive)
})

/** Opens an archive: the one that is kept, or one that is made, and kept for who asks next unless it is too large. */
export const openArchive = Effect.fnUntraced(function* (key: BlobKey, make: Stream.Stream<Uint8Array, GitOverloaded>) {
  const found = yield* kept(key)
  if (found !== undefined) return found
  const blobs = yield* BlobStore
  const put = yield* blobs
    .put(key, make, { maxSize: largest })
    .pipe(
      Effect.as(true),
      Effect.catchTags({ BlobTooLarge: () => Effect.succeed(false), BlobMismatch: () => Effect.succeed(false) })
    )
  const made = put ? yield* kept(key) : undefined
  return made ?? ({ bytes: make, size: undefined } satisfies OpenArchive)
})

/** Returns which archives go: those that are old, and the oldest of those that are more than there is room for. */
export const archivesToGo = (archives: ReadonlyArray<ListedBlob>, now: number): ReadonlyArray<BlobKey> => {
  const oldest = timeOf(now - Duration.toMillis(longest))
  let total = 0
  return [...archives]
    .sort((one, other) => (one.writtenAt < other.writtenAt ? 1 : -1))
    .flatMap(({ key, size, writtenAt }) => {
      total += size
      return total > most || writtenAt < oldest ? [key] : []
    })
}

/** Takes away archives that are old, or too many. */
export const archiveCleanup = {
  name: "archive_cleanup",
  schedule: "*/10 * * * *",
  run: Effect.gen(function* () {
    const blobs = yield* BlobStore
    const archives = yield* Stream.runCollect(blobs.list("archives"))
    yield* Effect.forEach(archivesToGo(archives, yield* Clock.currentTimeMillis), blobs.remove, { discard: true })
  })
} satisfies Task<BlobStore>
