import type { RepositoryId } from "@slipway/domain/forge/base"
import type { FileMode, NamedCommit, ObjectId, TreeEntry } from "@slipway/domain/forge/code"
import {
  branchRef,
  type Content,
  ContentChanged,
  ContentNotFound,
  GitReader,
  GitWriter,
  isFilePath,
  type TreeEdit
} from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { readDetails } from "../commits/Commits.ts"
import { readEntryDetails } from "./Contents.ts"
import {
  ChangeInvalid,
  type CommitOptions,
  type CommitProof,
  type CommitTree,
  type CreatedCommit,
  commit
} from "./commit.ts"

/** The operations on a file. `upload` creates the file, or replaces it if it exists. */
export const fileOperations = ["create", "delete", "rename", "update", "upload"] as const
export type FileOperation = (typeof fileOperations)[number]

/** A change of one file: the operation, the path and the new content. */
export interface FileEdit {
  readonly operation: FileOperation
  readonly path: string
  /** The current path of a file that the edit moves. */
  readonly from?: string | undefined
  readonly bytes?: Uint8Array | undefined
  /**
   * The blob id that the file is expected to have. If it differs, the change fails, so that changes of others are not
   * overwritten.
   */
  readonly id?: string | undefined
}

/** The result of file changes: the new commit, and the changed files. */
export interface Changed {
  readonly created: CreatedCommit
  readonly at: NamedCommit
  /** The files in the order of the edits; undefined for a deleted file. */
  readonly contents: ReadonlyArray<Content | undefined>
  readonly details: Effect.Success<ReturnType<typeof readDetails>>
}

/** The maximum number of files that one request can change. */
export const mostEdits = 1_000

const invalid = (field: string, problem: string) => new ChangeInvalid({ field, problem })

const sentences: Readonly<Record<FileOperation, string>> = {
  create: "Add",
  delete: "Delete",
  rename: "Rename",
  update: "Update",
  upload: "Upload"
}

const messageOf = (edits: ReadonlyArray<FileEdit>): string => {
  const [first] = edits
  return edits.length === 1 && first !== undefined
    ? `${sentences[first.operation]} ${first.path}`
    : `Change ${edits.length} files`
}

const foldersOf = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at + 1).join("/"))

/** Checks file edits as far as possible without reading the repository, for example their paths and duplicates. */
const checked = Effect.fnUntraced(function* (edits: ReadonlyArray<FileEdit>) {
  if (edits.length === 0) return yield* invalid("files", "must have a file")
  if (edits.length > mostEdits) return yield* invalid("files", `must have at most ${mostEdits} files`)
  const paths = new Set<string>()
  for (const { bytes, from, operation, path } of edits) {
    if (!isFilePath(path)) return yield* invalid("path", "must be the path of a file")
    if (from !== undefined && !isFilePath(from)) return yield* invalid("from_path", "must be the path of a file")
    if (operation === "rename" && from === undefined) return yield* invalid("from_path", "is needed to rename a file")
    if (operation !== "delete" && operation !== "rename" && bytes === undefined) {
      return yield* invalid("content", "is needed")
    }
    for (const each of from === undefined || from === path ? [path] : [path, from]) {
      if (paths.has(each)) return yield* invalid("files", `\`${each}\` must be named once`)
      paths.add(each)
    }
  }
  const writtenPaths = new Set(edits.flatMap(({ operation, path }) => (operation === "delete" ? [] : [path])))
  const both = [...writtenPaths].flatMap(foldersOf).find((folder) => writtenPaths.has(folder))
  if (both !== undefined) return yield* invalid("files", `\`${both}\` cannot be both a file and a folder`)
})

/**
 * Returns the paths that are read before the edits are applied: the edited files, and the parent folders of new files.
 */
const pathsOf = (edits: ReadonlyArray<FileEdit>): ReadonlyArray<string> => {
  const folders = edits.flatMap(({ path }) => foldersOf(path))
  return [...new Set([...edits.flatMap(({ from, path }) => (from === undefined ? [path] : [path, from])), ...folders])]
}

const isFile = (mode: FileMode): boolean => mode === "100644" || mode === "100755"

/** Checks one edit against the existing files. Returns the tree entry that it replaces; undefined for a new file. */
const replaced = Effect.fnUntraced(function* (
  { from, id, operation, path }: FileEdit,
  entries: ReadonlyMap<string, TreeEntry>,
  going: ReadonlySet<string>
) {
  const moves = from !== undefined && from !== path
  const source = from ?? path
  const present = entries.get(source)
  const target = entries.get(path)
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at)
    const above = entries.get(folder)
    if (above !== undefined && above.kind !== "tree" && !going.has(folder))
      return yield* invalid("path", `\`${folder}\` is not a folder`)
  }
  if (target?.kind === "tree") return yield* invalid("path", "is a folder")
  if (target !== undefined && (operation === "create" || moves)) return yield* invalid("path", "already exists")
  if (operation === "create") return undefined
  if (present === undefined) {
    if (operation === "upload") return undefined
    return yield* new ContentNotFound({ path: source })
  }
  const isRemoved = operation === "delete" && present.kind === "blob"
  if (!isRemoved && !isFile(present.mode)) return yield* invalid("path", "is not a file")
  if (operation === "upload" && id === undefined) return present
  if (id === undefined && operation !== "rename") return yield* invalid("sha", "is needed for an existing file")
  if (id !== undefined && id !== present.id) return yield* new ContentChanged({ path: source, present: present.id })
  return present
})

const largestOf = (edits: ReadonlyArray<FileEdit>) => {
  const sizes = edits.flatMap(({ bytes, path }) => (bytes === undefined ? [] : [{ object: path, size: bytes.length }]))
  return sizes.sort((one, other) => other.size - one.size)[0]
}

/** Writes a git tree with the edited files, and returns its id. */
const treeOf = Effect.fnUntraced(function* (
  id: RepositoryId,
  base: ObjectId | undefined,
  edits: ReadonlyArray<FileEdit>
) {
  const [reader, writer] = [yield* GitReader, yield* GitWriter]
  const paths = pathsOf(edits)
  const found = base === undefined ? [] : yield* reader.entries(id, base, paths)
  const entries = new Map<string, TreeEntry>()
  for (const [at, path] of paths.entries()) {
    const entry = found[at]
    if (entry !== undefined) entries.set(path, entry)
  }
  const going = new Set(edits.flatMap(({ from, operation, path }) => (operation === "delete" ? [path] : (from ?? []))))
  const present = yield* Effect.forEach(edits, (edit) => replaced(edit, entries, going))
  const written = edits.filter(({ bytes, operation }) => bytes !== undefined && operation !== "delete")
  const blobs = yield* writer.writeBlobs(
    id,
    written.map(({ bytes = new Uint8Array() }) => bytes)
  )
  const blobOf = new Map(written.map((edit, at) => [edit, blobs[at]]))
  const changes = edits.flatMap((edit, at): ReadonlyArray<TreeEdit> => {
    const before = present[at]
    const blob = blobOf.get(edit) ?? before?.id
    const gone: ReadonlyArray<TreeEdit> =
      edit.from === undefined || edit.from === edit.path ? [] : [{ path: edit.from, to: undefined }]
    if (edit.operation === "delete" || blob === undefined) return [{ path: edit.path, to: undefined }]
    return [...gone, { path: edit.path, to: { id: blob, mode: before?.mode ?? "100644" } }]
  })
  // Deletions first, so that a folder can replace a moved file.
  const ordered = [...changes].sort((one, other) => Number(one.to !== undefined) - Number(other.to !== undefined))
  const tree = yield* writer.writeTree(id, base, ordered)
  return { tree, largest: largestOf(edits), message: messageOf(edits) } satisfies CommitTree
})

/** Reads the result of file changes: the new commit, and the files as they are in it. */
export const commitResultOf = Effect.fnUntraced(function* (
  proof: CommitProof,
  created: CreatedCommit,
  paths: ReadonlyArray<string>
) {
  const { id } = proof.resource.repository
  const reader = yield* GitReader
  const entries = yield* reader.entries(id, created.commit, paths)
  const present = entries.flatMap((entry, at) =>
    entry?.kind === "blob" ? [{ ...entry, path: paths[at] ?? entry.path }] : []
  )
  const included = { content: true, lastCommit: true, lfs: true }
  const byPath = new Map(
    (yield* readEntryDetails(id, created.commit, present, included)).map((content) => [content.path, content])
  )
  const at: NamedCommit = { commit: created.commit, ref: branchRef(created.branch), name: created.branch }
  return {
    created,
    at,
    contents: paths.map((path) => byPath.get(path)),
    details: yield* readDetails(proof, [created.commit], { changes: false, verification: true })
  } satisfies Changed
})

/** Changes several files in one commit. If one edit is invalid, nothing changes. */
export const change = Effect.fnUntraced(function* (
  proof: CommitProof,
  edits: ReadonlyArray<FileEdit>,
  options: CommitOptions
) {
  yield* checked(edits)
  const commitId = yield* commit(proof, options, (base) => treeOf(proof.resource.repository.id, base, edits))
  return yield* commitResultOf(
    proof,
    commitId,
    edits.map(({ path }) => path)
  )
})

/** Applies a patch (a diff) in one commit. */
export const applyPatch = Effect.fnUntraced(function* (proof: CommitProof, patch: Uint8Array, options: CommitOptions) {
  const { repository } = proof.resource
  const [reader, writer] = [yield* GitReader, yield* GitWriter]
  let paths: ReadonlyArray<string> = []
  const commitId = yield* commit(proof, options, (base) =>
    Effect.gen(function* () {
      const from = base ?? (yield* writer.writeTree(repository.id, undefined, []))
      const tree = yield* writer
        .applyPatch(repository.id, from, patch)
        .pipe(Effect.catchTag("PatchRefused", ({ said }) => invalid("content", `doesn't fit: ${said.trim()}`)))
      const changes = yield* reader.changes(repository.id, { from, to: tree })
      if (changes.length === 0) return yield* invalid("content", "changes nothing")
      paths = changes.slice(0, mostEdits).map(({ after, before }) => (after ?? before)?.path ?? "")
      return { tree, largest: { object: "patch", size: patch.length }, message: "Apply a patch" } satisfies CommitTree
    })
  )
  return yield* commitResultOf(proof, commitId, paths)
})
