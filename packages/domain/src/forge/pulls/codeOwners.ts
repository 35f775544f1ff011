import { Effect } from "effect"
import { GitReader } from "../git/GitReader.ts"
import type { ObjectId } from "../git/objectIds.ts"
import { fileMatcher } from "../protections/patterns.ts"
import type { RepositoryId } from "../repositories/Repository.ts"

const places = ["CODEOWNERS", "docs/CODEOWNERS", ".slipway/CODEOWNERS", ".gitea/CODEOWNERS", ".forgejo/CODEOWNERS"]
const largest = 256 * 1024
const mostRules = 1_000

/** Which files belong to whom: users by name, teams as `organization/team`. */
export interface OwnershipRule {
  readonly pattern: string
  readonly owners: ReadonlyArray<string>
}

/**
 * Returns the rules that a file of owners has, one a line: a pattern as of files that git ignores, then the owners.
 *
 * @example
 * ownershipRules("# who\n*.ts @ann @acme/web\n") // => [{ pattern: "*.ts", owners: ["ann", "acme/web"] }]
 */
export const ownershipRules = (text: string): ReadonlyArray<OwnershipRule> =>
  text
    .split(/\r?\n/)
    .flatMap((line) => {
      const [pattern = "", ...words] = line
        .replace(/(^|\s)#.*$/, "")
        .trim()
        .split(/\s+/)
      const owners = words.flatMap((word) => (/^@[^@]+$/.test(word) ? [word.slice(1)] : []))
      return pattern === "" ? [] : [{ pattern, owners }]
    })
    .slice(0, mostRules)

const globOf = (pattern: string): string => {
  const whole = pattern.endsWith("/") ? `${pattern}**` : pattern
  return pattern.slice(0, -1).includes("/") || !pattern.endsWith("/") ? whole : `**/${whole}`
}

/**
 * Returns who owns some of the files: of the rules that match a file, the last one counts.
 *
 * @example
 * ownersOf([{ pattern: "*", owners: ["ann"] }, { pattern: "docs/", owners: ["bob"] }], ["docs/a.md"]) // => ["bob"]
 * ownersOf([{ pattern: "*", owners: ["ann"] }, { pattern: "docs/", owners: ["bob"] }], ["a.md", "docs/a.md"]) // => ["ann", "bob"]
 */
export const ownersOf = (rules: ReadonlyArray<OwnershipRule>, paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const matching = [...rules]
    .reverse()
    .map(({ owners, pattern }) => ({ owners, matches: fileMatcher(globOf(pattern)) }))
  const found = paths.flatMap((path) => matching.find(({ matches }) => matches(path))?.owners ?? [])
  return [...new Set(found)]
}

/** Reads who owns the files that differ between two commits, as the base says. */
export const codeOwners = Effect.fnUntraced(function* (
  repository: RepositoryId,
  base: ObjectId,
  mergeBase: ObjectId,
  head: ObjectId
) {
  const reader = yield* GitReader
  const entries = yield* reader.entries(repository, base, places)
  const entry = entries.find((each) => each?.kind === "blob")
  if (entry === undefined) return []
  const [blob] = yield* reader.objects(repository, [entry.id], largest)
  if (blob?.content === undefined) return []
  const rules = ownershipRules(new TextDecoder().decode(blob.content))
  const changes = yield* reader.changes(repository, { from: mergeBase, to: head })
  const paths = changes.flatMap(({ after, before }) => [before, after].flatMap((side) => side?.path ?? []))
  return ownersOf(rules, paths)
})
