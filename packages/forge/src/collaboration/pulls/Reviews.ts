import type { PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { isObjectId, type ObjectId } from "@slipway/domain/forge/code"
import type { Issue, PullRequest } from "@slipway/domain/forge/collaboration"
import {
  isStale,
  mergePlans,
  RequestsOfOthers,
  type Review,
  ReviewNotFound,
  ReviewNotPossible,
  reviewComments,
  reviews,
  seesPending
} from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { EffectiveAccessStore, pairFacts } from "@slipway/domain/forge/explanation"
import type { TeamInOrganization } from "@slipway/domain/forge/identity"
import { type Actor, type SeenUser, sameName, signedInUser, type UserId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited, type EventExtras } from "../../base/events/record.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import { teamsById } from "../../identity/teams/teamsById.ts"
import { addTimelineEvent } from "../issues/insert.ts"
import { issueAfter } from "../issues/snapshots.ts"
import { authorOf, peopleOf } from "../issues/views.ts"
import { addLineComments, type LineComment, lineCommentPlaces } from "./lineComments.ts"
import { addReviewRequests, answerForTeams, findReviewers, notifyReviewers, withdraw } from "./reviewers.ts"
import { changerOf, protectionOn } from "./rules.ts"

export type { LineComment } from "./lineComments.ts"

/** How many comments a review may contain. */
export const mostComments = 300

/** A review with all data that a response contains. */
export interface ReviewView {
  readonly review: Review
  readonly reviewer: SeenUser | undefined
  readonly team: TeamInOrganization | undefined
  readonly comments: number
  readonly stale: boolean
  readonly issue: Issue
}

interface On {
  readonly actor: Actor
  readonly issue: Issue
  readonly pull: PullRequest
}

const viewsOf = Effect.fnUntraced(function* ({ actor, issue, pull }: On, rows: ReadonlyArray<Review>) {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const counts = yield* (yield* reviewComments.store).counts("reviewId", ids)
  const people = yield* peopleOf(
    actor,
    rows.flatMap(({ reviewerId }) => reviewerId ?? [])
  )
  const teams = yield* teamsById(rows.flatMap(({ teamId }) => teamId ?? []))
  return rows.map(
    (review): ReviewView => ({
      review,
      issue,
      reviewer: review.reviewerId === null ? undefined : people.get(review.reviewerId),
      team: review.teamId === null ? undefined : teams.get(review.teamId),
      comments: counts.get(review.id)?.comments ?? 0,
      stale: isStale(review, pull)
    })
  )
})

const viewOf = (on: On, review: Review) => Effect.map(viewsOf(on, [review]), ([view]) => view as ReviewView)

/**
 * Lists the reviews and review requests of a pull request in order. Pending reviews are listed only for their authors.
 */
export const list = Effect.fnUntraced(function* ({ resource }: Proof<"pull.review.list">, page: PageRequest) {
  const store = yield* reviews.store
  const scope = { issueId: resource.issue.id }
  const { rows } = yield* store.list(scope, { limit: 1_000 }, { order: "submitted" })
  const seen = rows.filter((review) => review.state !== "pending" || seesPending(resource.actor, review))
  const from = (page.page - 1) * page.perPage
  return { rows: yield* viewsOf(resource, seen.slice(from, from + page.perPage)), total: seen.length }
})

/** Reads a review. */
export const read = ({ resource }: Proof<"pull.review.read">) => viewOf(resource, resource.review)

/** The result of a review; `pending` means that it is not submitted yet. */
export type Verdict = "approved" | "rejected" | "commented" | "pending"

/** Returns whether a review approves or rejects; only such a review can be official (count for merging). */
const isJudgement = (verdict: Verdict): boolean => verdict === "approved" || verdict === "rejected"

/** The fields of a new review. */
export interface ReviewInput {
  readonly verdict: Verdict
  readonly body: string
  /** The head commit that was reviewed; by default the current head. */
  readonly commit?: string | undefined
  readonly remarks: ReadonlyArray<LineComment>
}

const check = (
  { actor, issue, pull }: On,
  verdict: Verdict,
  body: string,
  remarks: number
): Effect.Effect<void, ReviewNotPossible> => {
  if (isJudgement(verdict) && !pull.open) return Effect.fail(new ReviewNotPossible({ because: "closed" }))
  if (isJudgement(verdict) && issue.authorId === actor.userId) {
    return Effect.fail(new ReviewNotPossible({ because: "own-approval" }))
  }
  const says = body.trim() !== "" || remarks > 0
  return (verdict === "rejected" && body.trim() === "" && remarks === 0) || (verdict === "commented" && !says)
    ? Effect.fail(new ReviewNotPossible({ because: "empty" }))
    : Effect.void
}

/**
 * Returns whether a review would count for merging: the reviewer may write code and, if the branch protection limits
 * approvers, is one of them.
 */
const isOfficial = Effect.fnUntraced(function* (pull: PullRequest, userId: UserId) {
  const { switches } = yield* SiteSettings
  const [pair] = yield* (yield* EffectiveAccessStore).find([{ user: userId, repository: pull.repositoryId }])
  const facts = pair && pairFacts(switches, pair)
  if (facts === undefined || !allows("git.push", { ...facts, archived: false, mirror: false })) return false
  const protection = yield* protectionOn(pull.repositoryId, pull.baseBranch)
  if (protection?.approvals.limited !== true) return true
  const { teams } = yield* changerOf(userId, facts, [protection])
  const { allowed } = protection.approvals
  return allowed.users.includes(userId) || teams.some((team) => allowed.teams.includes(team))
})

/** Queues a job that checks again whether the scheduled merge can start, after the current transaction commits. */
const wake = Effect.fnUntraced(function* ({ id }: Pick<Issue, "id">) {
  const plan = yield* (yield* mergePlans.store).findBy("issue", { issueId: id })
  if (plan !== undefined) yield* addJob({ _tag: "FinishMerge", issueId: id })
})

const timelineOf = (verdict: Verdict) => (verdict === "pending" ? undefined : ("review" as const))

/** Adds a submitted review to the timeline, and completes the request for it, in the current transaction. */
const recordReview = Effect.fnUntraced(function* ({ actor, issue }: On, review: Review, verdict: Verdict) {
  const type = timelineOf(verdict)
  if (type === undefined || review.reviewerId === null) return
  yield* Effect.orDie(
    addTimelineEvent(issue, type, signedInUser({ actor }).id, { details: { reviewId: review.id, body: review.body } })
  )
  // A comment does not fulfil a request: the reviewer still owes a verdict.
  if (verdict !== "commented") {
    yield* (yield* reviews.store).removeWhere(
      { issueId: issue.id },
      { state: "requested", reviewerId: review.reviewerId }
    )
    yield* answerForTeams(issue, review.reviewerId)
  }
  yield* wake(issue)
})

const pendingOf = Effect.fnUntraced(function* ({ actor, issue }: On) {
  const filter = { state: "pending" as const, reviewerId: signedInUser({ actor }).id }
  return (yield* (yield* reviews.store).list({ issueId: issue.id }, { limit: 1 }, { filter })).rows[0]
})

const headReviewed = (pull: PullRequest, commit: string | undefined): Effect.Effect<ObjectId, ReviewNotPossible> => {
  if (commit === undefined || commit === "" || commit === pull.headSha) return Effect.succeed(pull.headSha)
  return isObjectId(commit) ? Effect.succeed(commit) : Effect.fail(new ReviewNotPossible({ because: "stale-commit" }))
}

/** The changes of a pending review: its text, its result, and the reviewed commit. */
interface Settled extends Pick<ReviewInput, "body" | "verdict"> {
  readonly commit?: ObjectId | undefined
}

/** Submits a pending review, or changes its text. Fails if it was submitted or deleted in the meantime. */
const settle = Effect.fnUntraced(function* (
  resource: Proof<"pull.review.create" | "pull.review.submit">["resource"],
  id: Review["id"],
  { body, commit, verdict }: Settled
) {
  const { issue, pull } = resource
  const store = yield* reviews.store
  const scope = { issueId: issue.id }
  const before = yield* store.lock(scope, id)
  if (before === undefined) return yield* new ReviewNotFound({ id })
  if (before.state !== "pending") return yield* new ReviewNotPossible({ because: "already-submitted" })
  const words = body === "" ? before.body : body
  const counts = yield* (yield* reviewComments.store).counts("reviewId", [id])
  yield* check(resource, verdict, words, counts.get(id)?.comments ?? 0)
  const at = yield* now
  const official = isJudgement(verdict) && (yield* isOfficial(pull, signedInUser(resource).id))
  const settled = { state: verdict, body: words, official, submittedAt: at, updatedAt: at }
  const review = yield* Effect.orDie(
    store.patch(scope, id, commit === undefined ? settled : { ...settled, commit, baseVersion: pull.baseVersion })
  )
  if (review === undefined) return yield* new ReviewNotFound({ id })
  yield* recordReview(resource, review, verdict)
  return yield* viewOf(resource, review)
})

/** Returns the data of a review's event. A pending review causes no notification. */
const reviewEventData = ({ issue, review: { id, state } }: ReviewView): EventExtras => ({
  details: { pull: issue.number, review: id, state },
  notification:
    state === "pending"
      ? undefined
      : { issueId: issue.id, what: "reviewed", commentId: null, reviewId: id, audience: "followers" }
})

const reviewResult = ({ issue, review }: ReviewView) => Effect.map(issueAfter(issue), (after) => ({ ...after, review }))

/**
 * Creates a review: submitted, or pending. If the caller already has a pending review, the comments are added to it.
 *
 * The review is for the reviewed head commit and the current base. An approval does not count for a newer head.
 */
export const create = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"pull.review.create">, input: ReviewInput) {
    const { issue, pull, repository } = resource
    const { body, remarks, verdict } = input
    const commit = yield* headReviewed(pull, input.commit)
    if (verdict === "pending" && resource.actor.facts.publicOnly) {
      return yield* new ReviewNotPossible({ because: "public-only" })
    }
    const pending = yield* pendingOf(resource)
    const begun = pending !== undefined && seesPending(resource.actor, pending) ? pending : undefined
    if (begun !== undefined) {
      const places = yield* lineCommentPlaces(pull, commit, remarks)
      yield* addLineComments(resource, { ...begun, commit }, places)
      return yield* settle(resource, begun.id, { body, commit, verdict })
    }
    yield* check(resource, verdict, body, remarks.length)
    const places = yield* lineCommentPlaces(pull, commit, remarks)
    const at = yield* now
    const reviewer = signedInUser(resource).id
    const review = yield* Effect.orDie(
      (yield* reviews.store).insert({
        issueId: issue.id,
        repositoryId: repository.id,
        reviewerId: reviewer,
        teamId: null,
        state: verdict,
        body,
        commit,
        baseVersion: pull.baseVersion,
        official: isJudgement(verdict) && (yield* isOfficial(pull, reviewer)),
        dismissed: false,
        submittedAt: at,
        updatedAt: at
      })
    )
    yield* addLineComments(resource, review, places)
    yield* recordReview(resource, review, verdict)
    return yield* viewOf(resource, review)
  }),
  (done) => reviewEventData(done),
  (_, done) => reviewResult(done)
)

/** Submits a pending review. */
export const submit = audited(
  ({ resource }: Proof<"pull.review.submit">, said: Pick<ReviewInput, "body" | "verdict">) =>
    settle(resource, resource.review.id, { body: said.body, verdict: said.verdict }),
  (done) => reviewEventData(done),
  (_, done) => reviewResult(done)
)

/** Deletes a review with its comments. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { issue, review } }: Proof<"pull.review.delete">) {
    const removed = yield* (yield* reviews.store).remove({ issueId: issue.id }, review.id)
    return removed === undefined ? yield* new ReviewNotFound({ id: review.id }) : { issue, review: removed }
  }),
  ({ issue, review }) => ({ details: { pull: issue.number, review: review.id } })
)

const judged = (review: Review): boolean => review.state === "approved" || review.state === "rejected"

const setDismissed = Effect.fnUntraced(function* (
  resource: Proof<"pull.review.dismiss" | "pull.review.undismiss">["resource"],
  dismissed: boolean,
  message: string,
  priors: boolean
) {
  const { issue, review } = resource
  if (!judged(review)) return yield* new ReviewNotPossible({ because: "not-dismissible" })
  const store = yield* reviews.store
  const scope = { issueId: issue.id }
  const filter = { reviewerId: review.reviewerId, state: { in: ["approved", "rejected"] } } as const
  const verdicts = priors ? (yield* store.list(scope, { limit: 1_000 }, { filter })).rows : []
  const earlier = verdicts.filter(({ dismissed, id }) => id < review.id && !dismissed)
  const changes = [
    ...earlier.map(({ id }) => ({ id, change: { dismissed } })),
    { id: review.id, change: { dismissed, updatedAt: yield* now } }
  ]
  const after = (yield* Effect.orDie(store.patchMany(scope, changes))).find(({ id }) => id === review.id)
  if (after === undefined) return yield* new ReviewNotFound({ id: review.id })
  if (dismissed) {
    yield* Effect.orDie(
      addTimelineEvent(issue, "dismiss_review", signedInUser(resource).id, {
        details: { reviewId: review.id, body: message }
      })
    )
  }
  yield* wake(issue)
  return yield* viewOf(resource, after)
})

const eventDetailsOf = ({ issue, review }: ReviewView) => ({ details: { pull: issue.number, review: review.id } })

/**
 * Dismisses a review, so that it does not count for merging. With `priors`, also dismisses the earlier reviews of the
 * same reviewer.
 */
export const dismiss = audited(
  ({ resource }: Proof<"pull.review.dismiss">, { message, priors }: { message: string; priors: boolean }) =>
    setDismissed(resource, true, message, priors),
  eventDetailsOf
)

/** Makes a dismissed review count for merging again. */
export const undismiss = audited(
  ({ resource }: Proof<"pull.review.undismiss">) => setDismissed(resource, false, "", false),
  eventDetailsOf
)

/** The users and teams of which reviews are requested or no longer requested. */
export interface Named {
  readonly users: ReadonlyArray<string>
  readonly teams: ReadonlyArray<string>
}

/** Requests reviews of users and teams. Returns the new review requests. */
export const ask = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"pull.requested-reviewer.add">, names: Named) {
    const { actor, issue, pull, repository } = resource
    const asked = yield* addReviewRequests(authorOf(actor), issue, pull, yield* findReviewers(repository, issue, names))
    yield* notifyReviewers(asked, issue, authorOf(actor))
    return yield* viewsOf(resource, asked)
  }),
  (asked, { teams, users }) => ({
    details: {
      users: users.join(", "),
      teams: teams.join(", "),
      asked: asked.flatMap(({ review }) => review.reviewerId ?? []).join(", ")
    }
  }),
  (proof) => issueAfter(proof.resource.issue)
)

/** Removes review requests. A caller without permission to request reviews can only remove requests to the caller. */
export const withdrawn = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"pull.requested-reviewer.remove">, names: Named) {
    const { actor, facts, issue, repository } = resource
    if (allows("pull.requested-reviewer.add", facts)) {
      return yield* withdraw(actor, issue, yield* findReviewers(repository, issue, names))
    }
    const { id, name } = signedInUser(resource)
    if (names.teams.length > 0 || !names.users.every((each) => sameName(each, name)))
      return yield* new RequestsOfOthers()
    return yield* withdraw(actor, issue, { users: names.users.length === 0 ? [] : [{ id }], teams: [] })
  }),
  (asked, { teams, users }) => ({
    details: { users: users.join(", "), teams: teams.join(", "), asked: asked.join(", ") }
  }),
  (proof) => issueAfter(proof.resource.issue)
)

/** The maximum number of users with access to a repository that are searched for possible reviewers. */
const mostPeople = 1_000

/** Lists the possible reviewers of a repository, by name: users who may read its code. */
export const candidates = Effect.fnUntraced(function* ({
  resource: { actor, repository }
}: Proof<"repository.reviewer.list">) {
  const { switches } = yield* SiteSettings
  const { rows } = yield* (yield* EffectiveAccessStore).list(
    { kind: "repository", id: repository.id, membersToo: false, seenBy: actor },
    { kind: "repository", id: repository.id },
    { page: 1, perPage: mostPeople }
  )
  const there = { found: true, pull: true, author: false, locked: false } as const
  const ids = rows.flatMap((pair) =>
    allows("pull.diff", { ...pairFacts(switches, pair), ...there }) ? [pair.user.id] : []
  )
  const people = yield* peopleOf(actor, ids)
  return ids.flatMap((id) => people.get(id) ?? [])
})
