import { Effect } from "effect"
import { GitReader } from "../git/GitReader.ts"
import type { ObjectId } from "../git/objectIds.ts"
import type { RepositoryId } from "../repositories/Repository.ts"
import { PathExpressions } from "./PathExpressions.ts"

const places = ["CODEOWNERS", "docs/CODEOWNERS", ".slipway/CODEOWNERS", ".gitea/CODEOWNERS", ".forgejo/CODEOWNERS"]
const largest = 256 * 1024
const mostRules = 1_000
const longestExpression = 255
/** How many steps are taken at the most to match paths; what is left then belongs to nobody. */
const mostSteps = 50_000_000
/** The steps that a letter of a path takes at the most: what is counted in an expression stands there as often. */
const stepsOf = (expression: string): number => (/\{\d/.test(expression) ? 1_000 : expression.length)

/** Which files belong to whom: users by name, teams as `organization/team`. */
export interface OwnershipRule {
  /** A regular expression of whole paths. */
  readonly expression: string
  /** Whether the rule is about the files that the expression does not describe. */
  readonly negative: boolean
  readonly owners: ReadonlyArray<string>
}

/**
 * Returns the rules that a file of owners has, one a line: an expression, which `!` turns around, then the owners.
 *
 * A backslash lets the next character stand for itself, so that an expression has two where it wants one.
 *
 * @example
 * ownershipRules("# who\n.*[.]ts @ann @acme/web # all\n") // => [{ expression: ".*[.]ts", negative: false, owners: ["ann", "acme/web"] }]
 * ownershipRules("!/docs/.* @bob") // => [{ expression: "docs/.*", negative: true, owners: ["bob"] }]
 * ownershipRules("docs/.*") // => []
 */
export const ownershipRules = (text: string): ReadonlyArray<OwnershipRule> =>
  text
    .split(/\r?\n/)
    .flatMap((line) => {
      const tokens = line.match(/#.*|(?:\\.|[^\s\\#])+/g) ?? []
      const [pattern = "", ...words] = tokens
        .filter((token) => !token.startsWith("#"))
        .map((token) => token.replace(/\\(.)/g, "$1"))
      const owners = words.flatMap((word) => (/^@[^@]+$/.test(word) ? [word.slice(1)] : []))
      const negative = pattern.startsWith("!")
      const expression = pattern.slice(negative ? 1 : 0).replace(/^\//, "")
      const isRule = expression !== "" && expression.length <= longestExpression && owners.length > 0
      return isRule ? [{ expression, negative, owners }] : []
    })
    .slice(0, mostRules)

/** Returns who owns some of the files, by every rule that one of them matches; what is no expression says nothing. */
export const ownersOf = Effect.fnUntraced(function* (
  rules: ReadonlyArray<OwnershipRule>,
  paths: ReadonlyArray<string>
) {
  const expressions = yield* PathExpressions
  let left = mostSteps
  const found = new Set<string>()
  for (const { expression, negative, owners } of rules) {
    const matches = expressions.read(expression)
    if (matches === undefined) continue
    const isOwned = paths.some((path) => {
      left -= stepsOf(expression) * path.length
      return left >= 0 && matches(path) !== negative
    })
    if (isOwned) for (const owner of owners) found.add(owner)
    yield* Effect.yieldNow
  }
  return [...found]
})

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
  return yield* ownersOf(rules, [...new Set(paths)])
})
