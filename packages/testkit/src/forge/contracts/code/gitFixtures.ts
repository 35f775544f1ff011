import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  BranchName,
  branchRef,
  type CommitData,
  GitReader,
  GitRepositories,
  GitWriter,
  type Ident,
  type ObjectFormat,
  type ObjectId,
  Revision
} from "@slipway/domain/forge/code"
import { Effect, Stream } from "effect"

/** The services that the contract tests of git objects need. */
export type Git = GitReader | GitRepositories | GitWriter

/** The id of the repository that most tests use. */
export const one = 1 as RepositoryId

/** The id of a second repository. */
export const two = 2 as RepositoryId

/** Encodes a text as UTF-8. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Decodes bytes as UTF-8; undefined stays undefined. */
export const text = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : new TextDecoder().decode(content)

/** Collects a stream of bytes. */
export const collectBytes = <E, R>(stream: Stream.Stream<Uint8Array, E, R>): Effect.Effect<Uint8Array, E, R> =>
  Effect.map(Stream.runCollect(stream), (pieces) => Uint8Array.from([...pieces].flatMap((piece) => [...piece])))

/** Creates an empty git repository without commits. */
export const create = (id: RepositoryId = one, objectFormat: ObjectFormat = "sha1") =>
  Effect.flatMap(GitRepositories, (git) =>
    git.create(id, {
      defaultBranch: BranchName.make("main"),
      commit: undefined,
      madeAt: "2026-01-02T03:04:05.000Z",
      objectFormat
    })
  )

/** Returns a commit author with a time, given in hours after 2026-01-01 00:00 UTC. */
export const ident = (hours: number, name = "Ann"): Ident => ({
  name,
  email: `${name.toLowerCase()}@example.com`,
  seconds: 1_767_225_600 + hours * 3_600,
  offset: "+0100"
})

/** A file in a test: text, bytes, a link, an executable, or a deletion. */
export type TestFile =
  | string
  | Uint8Array
  | null
  | { readonly link: string }
  | { readonly run: string }
  | { readonly submodule: ObjectId }

const contentOf = (file: NonNullable<TestFile>): Uint8Array | undefined => {
  if (typeof file === "string") return bytes(file)
  if (file instanceof Uint8Array) return file
  if ("link" in file) return bytes(file.link)
  return "run" in file ? bytes(file.run) : undefined
}

const modeOf = (file: NonNullable<TestFile>) => {
  if (typeof file === "string" || file instanceof Uint8Array) return "100644"
  if ("link" in file) return "120000"
  return "run" in file ? "100755" : "160000"
}

/** Writes a git tree. It has the files of an existing tree, with some replaced. */
export const tree = Effect.fnUntraced(function* (
  files: Readonly<Record<string, TestFile>>,
  base?: ObjectId,
  id: RepositoryId = one
) {
  const writer = yield* GitWriter
  const contents = Object.values(files).flatMap((file) => (file === null ? [] : (contentOf(file) ?? [])))
  const written = Object.values(files).map((file) => (file === null ? undefined : contentOf(file)))
  const blobs = yield* writer.writeBlobs(
    id,
    written.flatMap((content) => (content === undefined ? [] : [content]))
  )
  let at = 0
  const edits = Object.entries(files).map(([path, file]) => {
    if (file === null) return { path, to: undefined }
    const own = contentOf(file) === undefined && typeof file === "object" && "submodule" in file
    const object = own ? file.submodule : blobs[at++]
    if (object === undefined) throw new Error(`no blob for ${contents.length} files`)
    return { path, to: { id: object, mode: modeOf(file) } as const }
  })
  return yield* writer.writeTree(id, base, edits)
})

/** The parts of a commit that a test writes. */
export interface TestCommit {
  readonly files?: Readonly<Record<string, TestFile>>
  readonly parents?: ReadonlyArray<ObjectId>
  /** Hours since the beginning of 2026. */
  readonly at?: number
  readonly by?: string
  readonly message?: string
  /** Moves this branch to it. */
  readonly branch?: string
  readonly data?: Partial<CommitData>
}

/** Writes a commit. It has the files of its first parent, with some replaced. */
export const commit = Effect.fnUntraced(function* (
  { at = 0, branch, by = "Ann", data = {}, files = {}, message = "a change\n", parents = [] }: TestCommit,
  id: RepositoryId = one
) {
  const writer = yield* GitWriter
  const commitId = yield* writer.writeCommit(id, {
    tree: yield* tree(files, parents[0], id),
    parents,
    author: ident(at, by),
    committer: ident(at, by),
    message,
    ...data
  })
  if (branch !== undefined) yield* writer.updateRefs(id, [{ ref: branchRef(branch), to: commitId }])
  return commitId
})

/** Returns the git object that a revision, such as `main~2`, resolves to. */
export const resolveRevision = (revision: string, id: RepositoryId = one) =>
  Effect.flatMap(GitReader, (git) => git.resolve(id, Revision.make(revision)))

/** Returns the text of a file at a commit. */
export const fileAt = Effect.fnUntraced(function* (of: ObjectId, path: string, id: RepositoryId = one) {
  const git = yield* GitReader
  const [entry] = yield* git.entries(id, of, [path])
  return entry === undefined ? undefined : text(yield* collectBytes(git.content(id, entry.id)))
})
