import type { PageRequest } from "@slipway/domain"
import {
  type CodeFilter,
  CodeIndexStore,
  type CodeMatch,
  type CodeQuery,
  CodeQueryInvalid,
  type CodeScope,
  codeText,
  type FoundCode,
  GitReader,
  largestIndexedFile,
  matchCode,
  parseCodeQuery,
  viewerOn
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"

/** The query and the filters of a code search. */
export interface CodeSearchInput extends Omit<CodeFilter, "words"> {
  readonly q: string
}

/** A file that a code search found, with its matching lines; none if its text could not be read. */
export interface CodeResult extends FoundCode {
  readonly match: CodeMatch
}

/** A page of results. `total` is undefined if not all files were compared with the phrases of the query. */
export interface CodeResults {
  readonly rows: ReadonlyArray<CodeResult>
  readonly total: number | undefined
  readonly more?: boolean
  readonly next?: string | undefined
}

/**
 * The limits of one search: the files that are compared with phrases, the bytes of their texts, and the repositories
 * that are read concurrently.
 */
const most = { compared: 100, bytes: 32 * 1024 * 1024, repositories: 4 }

/** Returns the files, from the first one, with texts of a limited total size. */
const withinBytes = (files: ReadonlyArray<FoundCode>): ReadonlyArray<FoundCode> => {
  let bytes = 0
  return files.filter(({ size }) => {
    bytes += size
    return bytes <= most.bytes
  })
}

/** Reads the texts of files, with one call for each repository, and finds the lines that match a query. */
const matchesOf = Effect.fnUntraced(function* (files: ReadonlyArray<FoundCode>, query: CodeQuery) {
  const reader = yield* GitReader
  const matches = new Map<FoundCode, CodeMatch>()
  yield* Effect.forEach(
    Map.groupBy(withinBytes(files), ({ repository }) => repository.id),
    Effect.fnUntraced(function* ([id, found]) {
      const blobs = yield* reader.objects(
        id,
        found.map(({ blob }) => blob),
        largestIndexedFile
      )
      for (const [at, file] of found.entries()) {
        const content = blobs[at]?.content
        const text = content && codeText(content)
        const match = text === undefined ? undefined : matchCode(text, query)
        if (match !== undefined) matches.set(file, match)
        yield* Effect.yieldNow
      }
    }),
    { concurrency: most.repositories, discard: true }
  )
  return matches
})

const found = Effect.fnUntraced(function* (scope: CodeScope, { q, ...filter }: CodeSearchInput, page: PageRequest) {
  const query = parseCodeQuery(q)
  const { phrases, words } = query
  if (words.length === 0) return yield* new CodeQueryInvalid()
  const { search } = yield* CodeIndexStore
  if (phrases.length === 0) {
    const listed = yield* search(scope, { ...filter, words }, page)
    const matches = yield* matchesOf(listed.rows, query)
    const rows = listed.rows.map((file) => ({ ...file, match: matches.get(file) ?? { count: 0, lines: [] } }))
    return { ...listed, rows } satisfies CodeResults
  }
  const compared = yield* search(scope, { ...filter, words }, { page: 1, perPage: most.compared })
  const matches = yield* matchesOf(compared.rows, query)
  const all = compared.rows.flatMap((file): ReadonlyArray<CodeResult> => {
    const match = matches.get(file)
    return match === undefined ? [] : [{ ...file, match }]
  })
  const start = (page.page - 1) * page.perPage
  const rows = all.slice(start, start + page.perPage)
  const isComplete = compared.next === undefined && withinBytes(compared.rows).length === compared.rows.length
  return (
    isComplete ? { rows, total: all.length } : { rows, total: undefined, more: all.length > start + page.perPage }
  ) satisfies CodeResults
})

/** Searches the code of the default branches of all repositories that the caller can read. */
export const search = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"code.search">,
  input: CodeSearchInput,
  page: PageRequest
) {
  return yield* found({ viewer: yield* viewerOn(actor) }, input, page)
})

/** Searches the code of the default branch of a repository. */
export const searchIn = (
  { resource: { repository } }: Proof<"repository.code.search">,
  input: CodeSearchInput,
  page: PageRequest
) => found({ repositoryId: repository.id }, input, page)
