import type { RepositoryId } from "@slipway/domain/forge/base"
import type { Ident, ObjectId, Repository, TreeEntry } from "@slipway/domain/forge/code"
import {
  type BranchName,
  branchRef,
  expandedFiles,
  expandVariables,
  GitReader,
  GitRepositories,
  GitWriter,
  inTurns,
  isFilePath,
  RefName,
  type TreeEdit,
  templateFiles
} from "@slipway/domain/forge/code"
import { Effect } from "effect"

/** The limits for template files with variables: number of files, size in bytes, and entries of the tree. */
const most = { files: 1_000, bytes: 1024 * 1024, entries: 100_000 }
/** The number of files that are read into memory at the same time. */
const batchSize = 16

const encoder = new TextEncoder()

const textOf = (content: Uint8Array | undefined): string | undefined => {
  try {
    const text = content === undefined ? undefined : new TextDecoder("utf-8", { fatal: true }).decode(content)
    return text?.includes("\0") === true ? undefined : text
  } catch {
    return undefined
  }
}

/** A repository to create from a template: the template, and the values of the variables in its files. */
export interface Generated {
  readonly from: RepositoryId
  readonly commit: ObjectId
  readonly defaultBranch: BranchName
  readonly author: Ident
  readonly variables: Readonly<Record<string, string>>
}

/** Replaces the variables in the contents of files by their values; binary files stay unchanged. */
const expandedIn = Effect.fnUntraced(function* ({ from, variables }: Generated, files: ReadonlyArray<TreeEntry>) {
  const ids = files.map(({ id }) => id)
  const contents = yield* (yield* GitReader).objects(from, ids, most.bytes)
  const texts: Array<string | undefined> = []
  for (const content of contents) {
    const text = textOf(content?.content)
    texts.push(text === undefined ? undefined : expandVariables(text, variables))
    yield* Effect.yieldNow
  }
  const written = yield* (yield* GitWriter).writeBlobs(
    from,
    texts.flatMap((text) => (text === undefined ? [] : [encoder.encode(text)]))
  )
  const left = [...written]
  return ids.map((id, at) => (texts[at] === undefined ? id : (left.shift() ?? id)))
})

/** Returns the edits that replace variables in the contents and names of the files that the template lists. */
const editsOf = Effect.fnUntraced(function* (generated: Generated) {
  const { commit, from, variables } = generated
  const reader = yield* GitReader
  const named = yield* reader.entries(from, commit, templateFiles)
  const found = named.find((entry) => entry?.kind === "blob")
  if (found === undefined) return []
  const [rules] = yield* reader.objects(from, [found.id], most.bytes)
  const { rows } = yield* reader.tree(from, commit, { recursive: true, page: 1, perPage: most.entries })
  // Symbolic links are skipped and never followed.
  const all = rows.filter(({ mode, path }) => (mode === "100644" || mode === "100755") && path !== found.path)
  const globs = textOf(rules?.content) ?? ""
  const meant = new Set(
    yield* inTurns(() =>
      expandedFiles(
        globs,
        all.map(({ path }) => path)
      )
    )
  )
  const files = all.filter(({ path }) => meant.has(path)).slice(0, most.files)
  const ids: Array<ObjectId> = []
  for (let from = 0; from < files.length; from += batchSize) {
    ids.push(...(yield* expandedIn(generated, files.slice(from, from + batchSize))))
  }
  const edits = files.flatMap((file, at): ReadonlyArray<TreeEdit> => {
    const id = ids[at] ?? file.id
    const renamed = expandVariables(file.path, variables)
    const path = isFilePath(renamed) ? renamed : file.path
    const edit = { path, to: { id, mode: file.mode } }
    return path === file.path ? [edit] : [{ path: file.path, to: undefined }, edit]
  })
  return [{ path: found.path, to: undefined }, ...edits]
})

/**
 * Creates the git repository of a repository that is created from a template: one commit, without the history of the
 * template.
 *
 * The commit is first written in the template without a ref, so that git copies only its objects.
 */
export const generateGit = Effect.fnUntraced(function* (
  { createdAt, id, objectFormat }: Repository,
  generated: Generated
) {
  const { author, commit, defaultBranch, from } = generated
  const writer = yield* GitWriter
  const tree = yield* writer.writeTree(from, commit, yield* editsOf(generated))
  const data = { tree, parents: [], author, committer: author, message: "Initial commit\n" }
  const commitId = yield* writer.writeCommit(from, data)
  const ref = RefName.make(`refs/slipway/generated/${id}`)
  yield* (yield* GitRepositories).create(id, { defaultBranch, commit: undefined, objectFormat, madeAt: createdAt })
  yield* Effect.orDie(writer.updateRefs(from, [{ ref, to: commitId }]))
  yield* Effect.ensuring(
    writer.fetchFrom(id, from, [{ from: ref, to: branchRef(defaultBranch) }]),
    Effect.orDie(writer.updateRefs(from, [{ ref, to: null }]))
  )
})
