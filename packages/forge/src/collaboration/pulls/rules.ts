import type { RepositoryFacts } from "@slipway/domain/forge/access"
import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { BranchProtection, ObjectId, RefChanger } from "@slipway/domain/forge/code"
import {
  CommitSignatures,
  type CountedReview,
  decideMergeRequest,
  GitReader,
  type MergeBlock,
  type MergeDecision,
  type MergeRequest,
  ProtectionStore,
  protectionOf,
  protectionsOf,
  readPatterns
} from "@slipway/domain/forge/code"
import type { IssueId, PullRequest } from "@slipway/domain/forge/collaboration"
import {
  type CommitStatus,
  commitStatuses,
  isStale,
  latestOf,
  type Review,
  reviews
} from "@slipway/domain/forge/collaboration"
import type { TeamId, UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** The maximum number of reviews of a pull request that are read. */
const mostReviews = 1_000
/** The maximum number of commit statuses that are read for a page of pull requests. */
const mostStatuses = 5_000
/** The maximum number of changed files that are compared with protected file patterns. */
const mostFiles = 10_000
/** The maximum number of commits that are checked for signatures. */
const mostSigned = 1_000

/** Reads the branch protection that applies to a branch; undefined if there is none. */
export const protectionOn = Effect.fnUntraced(function* (repository: RepositoryId, branch: string) {
  return protectionOf(yield* readPatterns(yield* (yield* ProtectionStore).branches(repository)), branch)
})

const named = (protections: ReadonlyArray<BranchProtection>) => [
  ...new Set(
    protections.flatMap(({ approvals, forcePush, merge, push }) =>
      [approvals, forcePush, merge, push].flatMap(({ allowed }) => allowed.teams)
    )
  )
]

/** Returns a user's id and teams, by which the allow lists of branch protections are checked. */
export const changerOf = Effect.fnUntraced(function* (
  userId: UserId,
  facts: RepositoryFacts,
  protections: ReadonlyArray<BranchProtection>
) {
  const teams = named(protections)
  return {
    userId,
    teams: teams.length === 0 ? [] : yield* (yield* ProtectionStore).teamsAmong(userId, teams),
    deployKey: false,
    administers: allows("repository.edit", facts)
  } satisfies RefChanger
})

/**
 * Returns the latest approval or rejection of each official reviewer. Withdrawn and dismissed reviews, and reviews of
 * another base, are ignored.
 */
export const latestVerdicts = (all: ReadonlyArray<Review>): ReadonlyArray<Review> => {
  const last = new Map<UserId, Review>()
  for (const review of all) {
    if (review.reviewerId === null || !review.official) continue
    if (review.state === "approved" || review.state === "rejected") last.set(review.reviewerId, review)
  }
  return [...last.values()]
}

/** A pull request into a protected branch, with the protection and its reviews. */
interface Guarded {
  readonly pull: PullRequest
  readonly protection: BranchProtection
  readonly reviews: ReadonlyArray<Review>
  /** The commit that the base branch would get; by default the head commit. */
  readonly to?: ObjectId | undefined
}

/**
 * Returns for each reviewer the teams that make the reviewer an approver. Reads the teams of all pull requests
 * together.
 */
const teamsOfReviewers = Effect.fnUntraced(function* (all: ReadonlyArray<Guarded>) {
  const limited = all.filter(({ protection: { approvals } }) => approvals.limited && approvals.allowed.teams.length > 0)
  if (limited.length === 0) return new Map<UserId, ReadonlyArray<TeamId>>()
  const ids = limited.flatMap(({ reviews }) => latestVerdicts(reviews).flatMap(({ reviewerId }) => reviewerId ?? []))
  const teams = limited.flatMap(({ protection }) => protection.approvals.allowed.teams)
  return yield* (yield* ProtectionStore).teamsOfEach([...new Set(ids)], [...new Set(teams)])
})

/**
 * Returns the latest commit status of each check, by head commit, for pull requests with required checks. Reads the
 * statuses of all pull requests together.
 */
const statusesOfHeads = Effect.fnUntraced(function* (repositoryId: RepositoryId, all: ReadonlyArray<Guarded>) {
  const heads = all.flatMap(({ protection, pull }) => (protection.statusChecks.enabled ? [pull.headSha] : []))
  const found = new Map<ObjectId, Array<CommitStatus>>()
  if (heads.length === 0) return found
  const store = yield* commitStatuses.store
  const filter = { commit: { in: [...new Set(heads)] } }
  // Statuses beyond the limit count as missing, which blocks the merge.
  const { rows } = yield* store.list({ repositoryId }, { limit: mostStatuses }, { filter, order: "newest" })
  for (const row of rows) found.set(row.commit, [...(found.get(row.commit) ?? []), row])
  return found
})

/**
 * Returns the approvals and rejections in the form in which branch protections count them.
 *
 * An approval is valid for one head and one base (invariant I20). It counts as dismissed if the base changed, and as
 * stale if there are new commits.
 */
export const countedReviews = (
  pull: Pick<PullRequest, "baseVersion" | "headSha">,
  words: ReadonlyArray<Review>,
  teams: ReadonlyMap<UserId, ReadonlyArray<TeamId>>
): ReadonlyArray<CountedReview> =>
  words.flatMap((review) => {
    const { baseVersion, dismissed, reviewerId, state } = review
    if (reviewerId === null || (state !== "approved" && state !== "rejected")) return []
    return [
      {
        reviewer: { userId: reviewerId, teams: teams.get(reviewerId) ?? [], deployKey: false, administers: false },
        verdict: state,
        stale: isStale(review, pull),
        dismissed: dismissed || (state === "approved" && baseVersion !== pull.baseVersion)
      }
    ]
  })

/** Reads the reviews and review requests of a pull request. */
export const reviewsOf = Effect.fnUntraced(function* ({ issueId }: Pick<PullRequest, "issueId">) {
  const { rows } = yield* (yield* reviews.store).list({ issueId }, { limit: mostReviews }, { order: "submitted" })
  return rows
})

const changedPaths = Effect.fnUntraced(function* (pull: PullRequest, protection: BranchProtection) {
  if (protection.protectedFiles === "") return []
  if (pull.changedFiles > mostFiles) return undefined
  const changes = yield* (yield* GitReader).changes(pull.repositoryId, { from: pull.mergeBase, to: pull.headSha })
  return changes.flatMap(({ after, before }) => [after?.path ?? [], before?.path ?? []].flat())
})

const unsignedOf = Effect.fnUntraced(function* (
  { baseSha, headSha, repositoryId }: PullRequest,
  protection: BranchProtection,
  to = headSha
) {
  if (!protection.requireSignedCommits) return null
  const reader = yield* GitReader
  const signatures = yield* CommitSignatures
  const window = { skip: 0, limit: mostSigned + 1 }
  const ids = yield* reader.log(repositoryId, { from: [to], not: [baseSha] }, window)
  if (ids.length > mostSigned) return undefined
  const found = yield* reader.objects(repositoryId, ids, 1024 * 1024)
  for (const commit of found) {
    if (!(yield* signatures.count(commit?.content ?? new Uint8Array()))) return commit?.id ?? to
  }
  return null
})

/**
 * Returns whether an official review was requested but not given yet; a request to a deleted account does not count.
 */
const isAwaited = ({ official, reviewerId, state, teamId }: Review): boolean =>
  state === "requested" && official && (reviewerId !== null || teamId !== null)

/** Returns the data by which branch protections decide a merge, for pull requests of one repository. */
const mergeRequestsOf = Effect.fnUntraced(function* (repositoryId: RepositoryId, all: ReadonlyArray<Guarded>) {
  const teams = yield* teamsOfReviewers(all)
  const statuses = yield* statusesOfHeads(repositoryId, all)
  return yield* Effect.forEach(all, ({ protection, pull, reviews, to }) =>
    Effect.gen(function* () {
      return {
        reviews: countedReviews(pull, latestVerdicts(reviews), teams),
        reviewsRequested: reviews.some(isAwaited),
        statuses: latestOf(statuses.get(pull.headSha) ?? []),
        outdated: pull.behind > 0,
        files: yield* changedPaths(pull, protection),
        unsigned: yield* unsignedOf(pull, protection, to)
      } satisfies MergeRequest
    })
  )
})

const somebody: RefChanger = { userId: undefined, teams: [], deployKey: false, administers: false }

/**
 * Decides by the branch protections whether a user with write permission may merge a pull request now. `to` is the
 * merge commit, if it exists.
 */
export const decideMerge = Effect.fnUntraced(function* (
  pull: PullRequest,
  userId: UserId,
  facts: RepositoryFacts,
  override: boolean,
  to?: ObjectId
) {
  const stored = yield* readPatterns(yield* (yield* ProtectionStore).branches(pull.repositoryId))
  const protections = protectionsOf(stored, pull.baseBranch)
  if (protections.length === 0) return unprotected
  const who = yield* changerOf(userId, facts, protections)
  const reviewsOfPull = yield* reviewsOf(pull)
  const guarded = protections.map((protection) => ({ pull, protection, reviews: reviewsOfPull, to }))
  const asked = yield* mergeRequestsOf(pull.repositoryId, guarded)
  const decisions = yield* Effect.forEach(asked, (each, at) => decideMergeRequest(protections[at], who, each, override))
  return decisions.find(({ allowed }) => !allowed) ?? decisions[0] ?? unprotected
})

const unprotected: MergeDecision = { allowed: true, rule: undefined, blocks: [], overridden: false }

/**
 * Returns the requirements that block the merges of open pull requests, independent of who merges. A pull request
 * without an entry is not blocked.
 */
export const blocksOf = Effect.fnUntraced(function* (repository: RepositoryId, all: ReadonlyArray<PullRequest>) {
  const protections = yield* readPatterns(yield* (yield* ProtectionStore).branches(repository))
  const guarded = all.flatMap((pull) => {
    return pull.open ? protectionsOf(protections, pull.baseBranch).map((protection) => ({ pull, protection })) : []
  })
  if (guarded.length === 0) return new Map<IssueId, ReadonlyArray<MergeBlock>>()
  const ids = guarded.map(({ pull }) => pull.issueId)
  const reviewsByPull = yield* (yield* reviews.store).listFor("issueId", ids, mostReviews, { order: "submitted" })
  const asked = yield* mergeRequestsOf(
    repository,
    guarded.map((each) => ({ ...each, reviews: reviewsByPull.get(each.pull.issueId) ?? [] }))
  )
  const blocking = new Map<IssueId, ReadonlyArray<MergeBlock>>()
  for (const [at, { protection, pull }] of guarded.entries()) {
    const request = asked[at]
    const blocks = request === undefined ? [] : (yield* decideMergeRequest(protection, somebody, request)).blocks
    const known = blocking.get(pull.issueId) ?? []
    blocking.set(pull.issueId, [...new Set([...known, ...blocks.filter((each) => each !== "merger")])])
  }
  return blocking
})
