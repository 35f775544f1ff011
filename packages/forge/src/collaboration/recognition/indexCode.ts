import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import {
  branchRef,
  CodeIndexStore,
  codeText,
  codeWords,
  GitReader,
  type IndexedFile,
  isIndexedPath,
  largestIndexedFile,
  mostIndexedFiles,
  RepositoryStore,
  type TreeEntry
} from "@slipway/domain/forge/code"
import { Recognition } from "@slipway/domain/forge/collaboration"
import { Array, Effect } from "effect"
import { refCommit } from "../../code/git/branches.ts"

/** The maximum number of tree entries that are read, and of files that are read and stored in one step. */
const most = { entries: 100_000, files: 50 }

const isIndexed = ({ mode, path }: TreeEntry): boolean =>
  (mode === "100644" || mode === "100755") && isIndexedPath(path)

/** Reads files, and returns their words for the index. */
const readFiles = Effect.fnUntraced(function* (
  repositoryId: RepositoryId,
  entries: ReadonlyArray<TreeEntry>,
  language: (path: string) => string | undefined
) {
  const blobs = yield* (yield* GitReader).objects(
    repositoryId,
    entries.map(({ id }) => id),
    largestIndexedFile
  )
  return yield* Effect.forEach(entries, ({ id, path }, at) => {
    const { content, size = 0 } = blobs[at] ?? {}
    const text = content && codeText(content)
    const words = text === undefined ? [] : codeWords(text)
    return Effect.as(Effect.yieldNow, {
      path,
      blob: id,
      size,
      language: language(path) ?? "",
      words
    } satisfies IndexedFile)
  })
})

/**
 * Updates the index of code search to the default branch of a repository: only files that differ are read and stored.
 *
 * Stores the files in several transactions. After a crash, the next update continues with the files that still differ.
 * An update stops when a later one of the same repository begins.
 */
export const indexCode = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  if (!(yield* SiteSettings).switches.codeSearch) return
  const store = yield* CodeIndexStore
  const run = yield* store.begin(repositoryId, yield* now)
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  if (run === undefined || repository === undefined) return
  const commit = (yield* refCommit(repositoryId, branchRef(repository.defaultBranch))) ?? null
  const whole = { recursive: true, page: 1, perPage: most.entries }
  if (commit !== null && commit === run.commit) {
    yield* store.finish(run, { commit, incomplete: run.incomplete })
    return
  }
  const tree = commit === null ? undefined : yield* (yield* GitReader).tree(repositoryId, commit, whole)
  const entries = (tree?.rows ?? []).filter(isIndexed)
  const files = entries.slice(0, mostIndexedFiles)
  const present = yield* store.files(repositoryId)
  const paths = new Set(files.map(({ path }) => path))
  const removed = [...present.keys()].filter((path) => !paths.has(path))
  const changed = files.filter(({ id, path }) => present.get(path) !== id)
  const language = yield* (yield* Recognition).languages
  if (removed.length > 0 && !(yield* store.change(run, { put: [], remove: removed }))) return
  for (const some of Array.chunksOf(changed, most.files)) {
    const put = yield* readFiles(repositoryId, some, language)
    if (!(yield* store.change(run, { put, remove: [] }))) return
  }
  const incomplete = entries.length > files.length || (tree?.total ?? 0) > most.entries
  yield* store.finish(run, { commit, incomplete })
}, Effect.orDie)
