import { nameKey, type PageRequest } from "@slipway/domain"
import { comparePaths, GitReader } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { commitNamed, RepositoryEmpty } from "../git/revisions.ts"

/** The maximum number of tree entries that one search reads. */
export const mostSearched = 100_000

const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/**
 * Lists the files of a revision with paths that contain all words of a query, ignoring case. Matches in the file name
 * come first.
 */
export const search = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.file.search">,
  query: string,
  revision: string | undefined,
  { page, perPage }: PageRequest
) {
  if (repository.empty && (revision === undefined || revision === "")) return yield* new RepositoryEmpty()
  const { commit } = yield* commitNamed(repository, revision)
  const words = nameKey(query)
    .split(/\s+/)
    .filter((word) => word !== "")
  const whole = { recursive: true, page: 1, perPage: mostSearched }
  const { rows } = yield* (yield* GitReader).tree(repository.id, commit, whole)
  const has = (text: string) => {
    const key = nameKey(text)
    return words.every((word) => key.includes(word))
  }
  const files = rows.filter(({ kind, path }) => kind !== "tree" && has(path))
  const named = files.map((file) => ({ file, first: has(nameIn(file.path)) ? 0 : 1 }))
  const sorted = named.sort((one, other) => one.first - other.first || comparePaths(one.file.path, other.file.path))
  const shown = sorted.slice((page - 1) * perPage, page * perPage)
  return { rows: shown.map(({ file }) => file), total: files.length }
})
