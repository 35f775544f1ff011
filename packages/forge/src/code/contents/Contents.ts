import type { RepositoryId } from "@slipway/domain/forge/base"
import type { NamedCommit, ObjectId, TreeEntry } from "@slipway/domain/forge/code"
import {
  type Content,
  ContentNotFound,
  contentKind,
  GitReader,
  isEntryPath,
  largestInlineFile,
  lfsPointer,
  longestPointer,
  submodulesIn
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { commitNamed } from "../git/revisions.ts"

/** Which optional details a response contains for each file or folder. Name, type and size are always included. */
export interface Included {
  readonly content: boolean
  readonly lastCommit: boolean
  readonly lfs: boolean
}

/** The result of reading a path: a file with its content, or a folder with its entries. */
export type Found =
  | { readonly _tag: "Folder"; readonly entries: ReadonlyArray<Content> }
  | { readonly _tag: "Entry"; readonly entry: Content }

/** Data read from a commit, with this commit. */
export interface FoundAt<A> {
  /** The commit of the entries; undefined in a repository without commits. */
  readonly at: NamedCommit | undefined
  readonly found: A
}

/** The maximum number of entries that are returned for one folder. */
export const mostEntries = 10_000
/** The maximum number of files that one request can read. */
export const mostFiles = 100

const longestLink = 4_096
const decoder = new TextDecoder()

/** Returns the URLs of those entries that are submodules, by path, from the file `.gitmodules`. */
const submoduleUrls = Effect.fnUntraced(function* (
  id: RepositoryId,
  commit: ObjectId,
  entries: ReadonlyArray<TreeEntry>
) {
  if (!entries.some(({ kind }) => kind === "commit")) return new Map<string, string>()
  const reader = yield* GitReader
  const [entry] = yield* reader.entries(id, commit, [".gitmodules"])
  if (entry?.kind !== "blob") return new Map<string, string>()
  const [blob] = yield* reader.objects(id, [entry.id], largestInlineFile)
  return submodulesIn(decoder.decode(blob?.content))
})

const lastCommits = Effect.fnUntraced(function* (id: RepositoryId, commit: ObjectId, paths: ReadonlyArray<string>) {
  const reader = yield* GitReader
  const names = yield* reader.lastCommits(id, commit, paths)
  const ids = [...new Set(names.values())]
  const commits = yield* reader.commits(id, ids)
  const byId = new Map(ids.map((each, at) => [each, commits[at]]))
  return new Map([...names].map(([path, name]) => [path, byId.get(name)]))
})

/** Returns the number of bytes to read from a file: 0 if neither its content nor its LFS pointer is needed. */
const wantedOf = ({ kind, mode }: TreeEntry, { content, lfs }: Included): number => {
  if (kind !== "blob") return 0
  if (mode === "120000") return longestLink
  if (content) return largestInlineFile
  return lfs ? longestPointer : 0
}

/** Reads the requested details of files and folders in a commit, with one query per detail. */
export const readEntryDetails = Effect.fnUntraced(function* (
  id: RepositoryId,
  commit: ObjectId,
  entries: ReadonlyArray<TreeEntry>,
  included: Included
) {
  const reader = yield* GitReader
  const blobs = entries.filter(({ kind }) => kind === "blob").map((entry) => entry.id)
  const sizes = new Map<ObjectId, number | undefined>()
  for (const [at, size] of (yield* reader.sizes(id, blobs)).entries()) {
    const blob = blobs[at]
    if (blob !== undefined) sizes.set(blob, size)
  }
  const contents = new Map<ObjectId, Uint8Array | undefined>()
  // The total content size of a response is limited: later files are left out.
  let left = largestInlineFile
  const read = new Set<ObjectId>()
  for (const entry of entries) {
    const size = sizes.get(entry.id) ?? 0
    if (size > wantedOf(entry, included) || size > left || read.has(entry.id) || entry.kind !== "blob") continue
    left -= size
    read.add(entry.id)
  }
  for (const blob of yield* reader.objects(id, [...read], largestInlineFile)) {
    if (blob !== undefined) contents.set(blob.id, blob.content)
  }
  const urls = yield* submoduleUrls(id, commit, entries)
  const paths = entries.map(({ path }) => path)
  const commits = included.lastCommit ? yield* lastCommits(id, commit, paths) : undefined
  return entries.map((entry): Content => {
    const kind = contentKind(entry)
    const bytes = contents.get(entry.id)
    return {
      kind,
      path: entry.path,
      id: entry.id,
      size: sizes.get(entry.id) ?? 0,
      bytes: kind === "file" && included.content ? bytes : undefined,
      target: kind === "symlink" && bytes !== undefined ? decoder.decode(bytes) : undefined,
      submoduleUrl: urls.get(entry.path),
      lfs: kind === "file" && included.lfs && bytes !== undefined ? lfsPointer(bytes) : undefined,
      lastCommit: commits?.get(entry.path)
    }
  })
})

type ReadProof = Proof<
  | "repository.contents.list"
  | "repository.contents.list-extended"
  | "repository.contents.read"
  | "repository.contents.read-extended"
  | "repository.contents.read-several"
  | "repository.contents.read-several-by-body"
>

/**
 * Reads a file, or lists a folder, at a revision. In a repository without commits, the root folder is empty.
 *
 * A file is returned with its content; the files of a folder are returned without content.
 */
export const read = Effect.fnUntraced(function* (
  { resource: { repository } }: ReadProof,
  path: string,
  revision: string | undefined,
  included: Included
) {
  if (repository.empty && path === "" && revision === undefined) {
    return { at: undefined, found: { _tag: "Folder", entries: [] } } satisfies FoundAt<Found>
  }
  const at = yield* commitNamed(repository, revision)
  if (path !== "" && !isEntryPath(path)) return yield* new ContentNotFound({ path })
  const reader = yield* GitReader
  const [entry] = yield* reader.entries(repository.id, at.commit, [path])
  if (entry === undefined) return yield* new ContentNotFound({ path })
  if (entry.kind !== "tree") {
    const [content] = yield* readEntryDetails(repository.id, at.commit, [{ ...entry, path }], included)
    if (content === undefined) return yield* new ContentNotFound({ path })
    return { at, found: { _tag: "Entry", entry: content } } satisfies FoundAt<Found>
  }
  const page = { recursive: false, page: 1, perPage: mostEntries }
  const { rows } = yield* reader.tree(repository.id, entry.id, page)
  const within = rows.map((row) => ({ ...row, path: path === "" ? row.path : `${path}/${row.path}` }))
  const entries = yield* readEntryDetails(repository.id, at.commit, within, { ...included, content: false })
  return { at, found: { _tag: "Folder", entries } } satisfies FoundAt<Found>
})

/** Reads several paths at a revision, in the given order; the result is undefined for a path that does not exist. */
export const readSeveral = Effect.fnUntraced(function* (
  { resource: { repository } }: ReadProof,
  paths: ReadonlyArray<string>,
  revision: string | undefined
) {
  const at = yield* commitNamed(repository, revision)
  const wanted = paths.slice(0, mostFiles)
  const asked = wanted.filter((path) => isEntryPath(path))
  const entries = yield* (yield* GitReader).entries(repository.id, at.commit, asked)
  const present = entries.flatMap((entry, index) =>
    entry === undefined ? [] : [{ ...entry, path: asked[index] ?? entry.path }]
  )
  const included = { content: true, lastCommit: true, lfs: true }
  const contents = yield* readEntryDetails(repository.id, at.commit, present, included)
  const byPath = new Map(contents.map((content) => [content.path, content]))
  return { at, found: wanted.map((path) => byPath.get(path)) } satisfies FoundAt<ReadonlyArray<Content | undefined>>
})
