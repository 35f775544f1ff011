import { BlobStore, blobKey } from "@slipway/domain/forge/base"
import {
  type ByteRange,
  ContentNotFound,
  type GitOverloaded,
  GitReader,
  isEntryPath,
  joined,
  LfsOid,
  LfsStore,
  lfsPointer,
  longestPointer
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect, Schema, Stream } from "effect"
import { commitNamed } from "../git/revisions.ts"

/** A file to download, completely or as a byte range. */
export interface Download {
  readonly path: string
  /** The id of the content, used as `ETag`. */
  readonly id: string
  /** The size of the file, in bytes. */
  readonly size: number
  /** The media type of the file; if undefined, it is detected from the first bytes. */
  readonly type?: string
  /** Whether the URL contains a commit id, so that its content never changes and can be cached forever. */
  readonly fixed: boolean
  readonly bytes: (range?: ByteRange) => Stream.Stream<Uint8Array, GitOverloaded>
}

/**
 * Returns a file at a revision for download. For a symbolic link, the content is its target path. Fails for a folder.
 */
export const download = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.file.media" | "repository.file.raw">,
  path: string,
  revision: string | undefined
) {
  const { commit, name } = yield* commitNamed(repository, revision)
  const reader = yield* GitReader
  const [entry] = isEntryPath(path) ? yield* reader.entries(repository.id, commit, [path]) : []
  if (entry?.kind !== "blob") return yield* new ContentNotFound({ path })
  const [size] = yield* reader.sizes(repository.id, [entry.id])
  if (size === undefined) return yield* new ContentNotFound({ path })
  return {
    path,
    id: entry.id,
    size,
    fixed: name === commit,
    bytes: (range) => reader.content(repository.id, entry.id, range)
  } satisfies Download
})

const isOid = Schema.is(LfsOid)

/**
 * Returns a file at a revision for download. For a Git LFS pointer, the content is the LFS object.
 *
 * If the repository does not have the LFS object, the pointer itself is returned, because the object may belong to
 * another repository (bug class B9).
 */
export const downloadMedia = Effect.fnUntraced(function* (
  proof: Proof<"repository.file.media">,
  path: string,
  revision: string | undefined
) {
  const file = yield* download(proof, path, revision)
  if (file.size > longestPointer) return file
  const pieces = yield* Stream.runCollect(file.bytes(undefined))
  const pointer = lfsPointer(joined(pieces))
  if (pointer === undefined || !isOid(pointer.oid)) return file
  const { oid } = pointer
  const size = (yield* (yield* LfsStore).linked(proof.resource.repository.id, [oid])).get(oid)
  if (size === undefined) return file
  const blobs = yield* BlobStore
  return {
    ...file,
    id: oid,
    size,
    bytes: (range) => {
      const part = range === undefined ? undefined : { first: range.offset, last: range.offset + range.length - 1 }
      // A linked object exists; if the store lost it, the response breaks off.
      return Stream.orDie(blobs.read(blobKey("lfs", oid), part))
    }
  } satisfies Download
})
