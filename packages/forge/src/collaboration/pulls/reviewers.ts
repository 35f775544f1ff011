import { now } from "@slipway/domain"
import { allows } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import { ProtectionStore } from "@slipway/domain/forge/code"
import type { Issue, PullRequest } from "@slipway/domain/forge/collaboration"
import {
  IssueStore,
  type Review,
  ReviewerNotPossible,
  reviews,
  timelineEvents
} from "@slipway/domain/forge/collaboration"
import { EffectiveAccessStore, pairFacts } from "@slipway/domain/forge/explanation"
import type { Actor, Team, TeamId, UserId } from "@slipway/domain/forge/identity"
import { TeamStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { queueNotifications } from "../../base/events/queueNotifications.ts"
import { timelineEvent } from "../issues/insert.ts"
import { authorOf } from "../issues/views.ts"

/** The maximum number of reviewers in one request. */
export const mostReviewers = 50

/** The maximum number of members of requested teams that one review request notifies. */
const mostMembers = 1_000

/** The users and teams that are requested as reviewers. */
export interface Reviewers {
  readonly users: ReadonlyArray<{ readonly id: UserId; readonly official: boolean }>
  readonly teams: ReadonlyArray<Team>
}

/** Finds users by name as reviewers. They must be able to read the code, and must not be the author. */
const findUserReviewers = Effect.fnUntraced(function* (
  repository: Repository,
  issue: Pick<Issue, "authorId">,
  names: ReadonlyArray<string>,
  strict: boolean
) {
  if (names.length === 0) return []
  const { switches } = yield* SiteSettings
  const known = yield* (yield* IssueStore).usersNamed(names)
  const pairs = yield* (yield* EffectiveAccessStore).find(
    [...new Set(known.values())].map((user) => ({ user, repository: repository.id }))
  )
  const able = new Map(pairs.map((pair) => [pair.user.id, pairFacts(switches, pair)]))
  const found: Array<{ readonly id: UserId; readonly official: boolean }> = []
  for (const name of names) {
    const id = known.get(name)
    const facts = id === undefined ? undefined : able.get(id)
    const isAble = id !== issue.authorId && facts !== undefined && allows("pull.diff", { ...facts, ...there })
    if (isAble && id !== undefined && facts !== undefined) {
      if (!found.some((each) => each.id === id)) found.push({ id, official: allows("git.push", facts) })
    } else if (strict) return yield* new ReviewerNotPossible({ field: "reviewers", name })
  }
  return found
})

/** The facts about a pull request of another author, for the decision whether a user could review it. */
const there = { found: true, pull: true, author: false, locked: false } as const

/** Finds teams by name as reviewers. They must belong to the owner of the repository and have access to it. */
const findTeamReviewers = Effect.fnUntraced(function* (
  repository: Repository,
  names: ReadonlyArray<string>,
  strict: boolean
) {
  const { owner } = repository
  const store = yield* TeamStore
  const found: Array<Team> = []
  for (const name of [...new Set(names)]) {
    const team = owner.kind === "organization" ? yield* store.named(owner.id, name) : undefined
    if (team !== undefined && (yield* store.holds(team.id, repository.id))) found.push(team)
    else if (strict) return yield* new ReviewerNotPossible({ field: "team_reviewers", name })
  }
  return found
})

/**
 * Finds the requested reviewers. Fails if one of them cannot be a reviewer, unless invalid reviewers are to be skipped.
 */
export const findReviewers = Effect.fnUntraced(function* (
  repository: Repository,
  issue: Pick<Issue, "authorId">,
  names: { readonly users: ReadonlyArray<string>; readonly teams: ReadonlyArray<string> },
  strict = true
) {
  return {
    users: yield* findUserReviewers(repository, issue, names.users, strict),
    teams: yield* findTeamReviewers(repository, names.teams, strict)
  } satisfies Reviewers
})

/** Inserts review requests that do not exist yet, in the current transaction. Returns the new ones. */
export const addReviewRequests = Effect.fnUntraced(function* (
  by: UserId,
  issue: Pick<Issue, "id" | "repositoryId">,
  pull: Pick<PullRequest, "baseVersion" | "headSha">,
  asked: Reviewers
) {
  const store = yield* reviews.store
  const { rows } = yield* store.list({ issueId: issue.id }, { limit: 1_000 }, { filter: { state: "requested" } })
  const at = yield* now
  const row = {
    issueId: issue.id,
    repositoryId: issue.repositoryId,
    state: "requested" as const,
    body: "",
    commit: pull.headSha,
    baseVersion: pull.baseVersion,
    dismissed: false,
    submittedAt: at,
    updatedAt: at
  }
  const users = asked.users.filter(({ id }) => !rows.some(({ reviewerId }) => reviewerId === id))
  const teams = asked.teams.filter(({ id }) => !rows.some(({ teamId }) => teamId === id))
  const requests = yield* Effect.orDie(
    store.insertMany([
      ...users.map(({ id, official }) => ({ ...row, reviewerId: id, teamId: null, official })),
      ...teams.map(({ id }) => ({ ...row, reviewerId: null, teamId: id, official: true }))
    ])
  )
  const on = (details: NonNullable<Parameters<typeof timelineEvent>[4]>["details"] = {}) =>
    timelineEvent(issue, "review_request", by, at, { details })
  yield* Effect.orDie(
    (yield* timelineEvents.store).insertMany([
      ...users.map(({ id }) => on({ assigneeId: id })),
      ...teams.map(({ id }) => on({ assigneeTeamId: id }))
    ])
  )
  return requests
})

/** Notifies users who were requested as reviewers, by name or through a team, in the current transaction. */
export const notifyReviewers = Effect.fnUntraced(function* (
  asked: ReadonlyArray<Review>,
  issue: Pick<Issue, "id" | "repositoryId">,
  by: UserId
) {
  if (asked.length === 0) return
  const teams = asked.flatMap(({ teamId }) => teamId ?? [])
  const members = teams.length === 0 ? [] : yield* (yield* TeamStore).memberIds(teams, mostMembers)
  const only = [...new Set([...asked.flatMap(({ reviewerId }) => reviewerId ?? []), ...members])]
  const { id: issueId, repositoryId } = issue
  yield* queueNotifications(by, [
    { repositoryId, issueId, what: "review-requested", commentId: null, audience: "reviewers", only }
  ])
})

/** Removes review requests in the current transaction. Returns the users that were requested. */
export const withdraw = Effect.fnUntraced(function* (
  actor: Actor,
  issue: Pick<Issue, "id">,
  asked: {
    readonly users: ReadonlyArray<{ readonly id: UserId }>
    readonly teams: ReadonlyArray<{ readonly id: TeamId }>
  }
) {
  const store = yield* reviews.store
  const state = "requested" as const
  const { rows } = yield* store.list({ issueId: issue.id }, { limit: 1_000 }, { filter: { state } })
  const users = asked.users.flatMap(({ id }) => (rows.some(({ reviewerId }) => reviewerId === id) ? [id] : []))
  const teams = asked.teams.flatMap(({ id }) => (rows.some(({ teamId }) => teamId === id) ? [id] : []))
  if (users.length > 0) yield* store.removeWhere({ issueId: issue.id }, { state, reviewerId: { in: users } })
  if (teams.length > 0) yield* store.removeWhere({ issueId: issue.id }, { state, teamId: { in: teams } })
  const at = yield* now
  const on = (details: NonNullable<Parameters<typeof timelineEvent>[4]>["details"]) =>
    timelineEvent(issue, "review_request", authorOf(actor), at, { details: { ...details, removed: true } })
  yield* Effect.orDie(
    (yield* timelineEvents.store).insertMany([
      ...users.map((assigneeId) => on({ assigneeId })),
      ...teams.map((assigneeTeamId) => on({ assigneeTeamId }))
    ])
  )
  return users
})

/**
 * Removes the review requests to the teams of a reviewer who has approved or rejected, in the current transaction: the
 * review answers the request for the whole team.
 */
export const answerForTeams = Effect.fnUntraced(function* ({ id: issueId }: Pick<Issue, "id">, reviewerId: UserId) {
  const store = yield* reviews.store
  const filter = { state: "requested" } as const
  const { rows } = yield* store.list({ issueId }, { limit: 1_000 }, { filter })
  const asked = rows.flatMap(({ teamId }) => teamId ?? [])
  const own = asked.length === 0 ? [] : yield* (yield* ProtectionStore).teamsAmong(reviewerId, asked)
  if (own.length > 0) yield* store.removeWhere({ issueId }, { ...filter, teamId: { in: own } })
})
