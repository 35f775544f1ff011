import { Effect, type Stream } from "effect"
import type { Proof } from "../accounts/Actor.ts"
import { isEntryPath } from "../git/filePaths.ts"
import { type ByteRange, type GitOverloaded, GitReader } from "../git/GitReader.ts"
import type { ObjectId } from "../git/objectIds.ts"
import { ContentNotFound } from "./Content.ts"
import { commitNamed } from "./revisions.ts"

/** A file that can be downloaded, whole or in part. */
export interface Download {
  readonly path: string
  readonly id: ObjectId
  /** In bytes. */
  readonly size: number
  /** Whether what was asked for never changes, since it was named by its commit. */
  readonly fixed: boolean
  readonly bytes: (range?: ByteRange) => Stream.Stream<Uint8Array, GitOverloaded>
}

/** Finds a file of a revision to download; a link is what it says, and a folder is nothing that can be. */
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
