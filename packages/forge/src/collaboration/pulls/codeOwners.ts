import { Transaction } from "@slipway/domain"
import { GitReader, RepositoryStore } from "@slipway/domain/forge/code"
import {
  type Issue,
  type IssueId,
  isDraft,
  issues,
  PathExpressions,
  type PullRequest,
  pulls,
  reviews,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import { queuePullHooks } from "./refresh.ts"
import { addReviewRequests, findReviewers, notifyReviewers, type Reviewers } from "./reviewers.ts"

const places = ["CODEOWNERS", "docs/CODEOWNERS", ".slipway/CODEOWNERS", ".gitea/CODEOWNERS", ".forgejo/CODEOWNERS"]
const largest = 256 * 1024
const mostRules = 1_000
const longestExpression = 255
/** The maximum number of reviews and review requests of a pull request that are read. */
const mostRequests = 1_000
/** The maximum number of steps for matching paths with expressions; files beyond that get no owner. */
const mostSteps = 50_000_000
/**
 * Returns the estimated number of steps per character of a path that an expression needs. Counted repetitions, such as
 * `{3}`, need many more.
 */
const stepsOf = (expression: string): number => (/\{\d/.test(expression) ? 1_000 : expression.length)

/**
 * A line of a code owners file: an expression for file paths, and the owners (user names, and teams as
 * `organization/team`).
 */
export interface OwnershipRule {
  /** A regular expression that must match the full path. */
  readonly expression: string
  /** Whether the rule applies to all files that the expression does not match. */
  readonly negative: boolean
  readonly owners: ReadonlyArray<string>
}

/**
 * Parses a code owners file. Each line has an expression for file paths, negated by `!`, and then the owners.
 *
 * A backslash escapes the next character. So `\\` in the file is one backslash in the expression.
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

/** Returns the owners of files by all rules that match a file. Invalid expressions are ignored. */
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

/** Reads the owners of the files that a pull request changes, from the code owners file of its base commit. */
const codeOwners = Effect.fnUntraced(function* ({ baseSha, headSha, mergeBase, repositoryId }: PullRequest) {
  const reader = yield* GitReader
  const entries = yield* reader.entries(repositoryId, baseSha, places)
  const entry = entries.find((each) => each?.kind === "blob")
  if (entry === undefined) return []
  const [blob] = yield* reader.objects(repositoryId, [entry.id], largest)
  if (blob?.content === undefined) return []
  const rules = ownershipRules(new TextDecoder().decode(blob.content))
  const changes = yield* reader.changes(repositoryId, { from: mergeBase, to: headSha })
  const paths = changes.flatMap(({ after, before }) => [before, after].flatMap((side) => side?.path ?? []))
  return yield* ownersOf(rules, [...new Set(paths)])
})

/** Returns those owners who have neither reviewed a pull request nor been requested to. */
const unasked = Effect.fnUntraced(function* ({ id }: Issue, { teams, users }: Reviewers) {
  const some = { limit: mostRequests }
  const existing = yield* (yield* reviews.store).list({ issueId: id }, some)
  const filter = { type: "review_request" as const }
  const asked = yield* (yield* timelineEvents.store).list({ issueId: id }, some, { filter })
  const known = new Set<number | null | undefined>([
    ...existing.rows.map(({ reviewerId }) => reviewerId),
    ...asked.rows.map(({ details }) => details.assigneeId)
  ])
  const knownTeams = new Set(asked.rows.map(({ details }) => details.assigneeTeamId))
  return {
    users: users.filter((user) => !known.has(user.id)),
    teams: teams.filter((team) => !knownTeams.has(team.id))
  } satisfies Reviewers
})

/**
 * Requests reviews from the code owners of the changed files of an open pull request. Does nothing for a draft.
 *
 * Each owner is requested once. If a user removes the request, it is not added again.
 */
export const askOwners = Effect.fnUntraced(function* (issueId: IssueId) {
  const store = yield* pulls.store
  const seen = yield* store.findBy("issue", { issueId })
  const issue = seen && (yield* (yield* issues.store).find({ repositoryId: seen.repositoryId }, issueId))
  const repository = seen && (yield* (yield* RepositoryStore).find(seen.repositoryId))
  if (seen?.open !== true || issue === undefined || repository === undefined || isDraft(issue.title)) return
  const names = yield* codeOwners(seen)
  const owners = yield* findReviewers(
    repository,
    issue,
    {
      users: names.filter((name) => !name.includes("/")),
      teams: names.flatMap((name) => {
        const [owner = "", team] = name.split("/")
        return team !== undefined && owner.toLowerCase() === repository.owner.name.toLowerCase() ? [team] : []
      })
    },
    false
  )
  if (owners.users.length + owners.teams.length === 0) return
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const pull = yield* store.lock({ repositoryId: repository.id }, seen.id)
      if (pull?.open !== true) return
      const requests = yield* addReviewRequests(issue.authorId, issue, pull, yield* unasked(issue, owners))
      yield* notifyReviewers(requests, issue, issue.authorId)
      const asked = requests.flatMap(({ reviewerId }) => reviewerId ?? [])
      if (asked.length > 0) {
        yield* queuePullHooks("pull.requested-reviewer.add", pull, issue, { asked: asked.join(", ") })
      }
    })
  )
})
