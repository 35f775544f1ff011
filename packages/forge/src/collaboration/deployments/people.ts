import { nameKey } from "@slipway/domain"
import type { Repository } from "@slipway/domain/forge/code"
import { EnvironmentInvalid, type EnvironmentRules, mostReviewers } from "@slipway/domain/forge/collaboration"
import {
  type Actor,
  type SeenUser,
  type Team,
  type TeamId,
  TeamStore,
  type UserId,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** The users and teams that are reviewers or gave reviews; those hidden from the actor are missing. */
export interface ReviewPeople {
  readonly users: ReadonlyMap<UserId, SeenUser>
  readonly teams: ReadonlyMap<TeamId, Team>
}

const visibleUsers = Effect.fnUntraced(function* (actor: Actor, ids: ReadonlyArray<UserId>) {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map<UserId, SeenUser>()
  const { rows } = yield* (yield* UserStore).search(actor, { ids: wanted }, { page: 1, perPage: wanted.length })
  return new Map(rows.map((user) => [user.id, user]))
})

const visibleTeams = Effect.fnUntraced(function* (actor: Actor, { owner }: Repository, ids: ReadonlyArray<TeamId>) {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0 || owner.kind !== "organization") return new Map<TeamId, Team>()
  const page = { page: 1, perPage: wanted.length }
  const { rows } = yield* (yield* TeamStore).list(actor, owner.id, { ids: wanted }, page)
  return new Map(rows.map((team) => [team.id, team]))
})

/** Reads the users and teams that are reviewers in protection rules, and additional users. */
export const peopleOfRules = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  rules: ReadonlyArray<EnvironmentRules>,
  users: ReadonlyArray<UserId> = []
) {
  return {
    users: yield* visibleUsers(actor, [...rules.flatMap(({ reviewers }) => reviewers.users), ...users]),
    teams: yield* visibleTeams(
      actor,
      repository,
      rules.flatMap(({ reviewers }) => reviewers.teams)
    )
  } satisfies ReviewPeople
})

/** A reviewer in a request: a user or a team, by id. */
export type ReviewerInput =
  | { readonly type: "User"; readonly id: UserId }
  | { readonly type: "Team"; readonly id: TeamId }

const invalid = (problem: string) => new EnvironmentInvalid({ field: "reviewers", problem })

/** Returns the ids of the requested reviewers. Fails if one is missing or hidden; the error is the same for both. */
export const reviewersIn = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  reviewers: ReadonlyArray<ReviewerInput>
) {
  if (reviewers.length > mostReviewers) return yield* invalid(`must have at most ${mostReviewers} users and teams`)
  const users = [...new Set(reviewers.flatMap((each) => (each.type === "User" ? [each.id] : [])))]
  const teams = [...new Set(reviewers.flatMap((each) => (each.type === "Team" ? [each.id] : [])))]
  const foundUsers = yield* visibleUsers(actor, users)
  const foundTeams = yield* visibleTeams(actor, repository, teams)
  const missingUser = users.find((id) => !foundUsers.has(id))
  if (missingUser !== undefined) return yield* invalid(`there is no user with the id ${missingUser}`)
  const missingTeam = teams.find((id) => !foundTeams.has(id))
  if (missingTeam !== undefined) {
    return yield* invalid(`the organization of the repository has no team with the id ${missingTeam}`)
  }
  return { users, teams }
})

/**
 * Returns those reviewers in the current rules that the actor does not see.
 *
 * They are kept when the actor changes the rules, because the actor cannot know about them.
 */
export const hiddenReviewersOf = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  rules: EnvironmentRules
) {
  const { teams, users } = yield* peopleOfRules(actor, repository, [rules])
  const userIds = rules.reviewers.users.filter((id) => !users.has(id))
  const teamIds = rules.reviewers.teams.filter((id) => !teams.has(id))
  const presentUsers = userIds.length === 0 ? undefined : yield* (yield* UserStore).findMany(actor, userIds)
  const presentTeams = teamIds.length === 0 ? undefined : yield* (yield* TeamStore).findMany(teamIds)
  return {
    users: userIds.filter((id) => presentUsers?.has(id)),
    // A transferred repository keeps no reviewers of its former organization.
    teams: teamIds.filter((id) => presentTeams?.get(id)?.organizationId === repository.owner.id)
  }
})

/**
 * Returns a name in lower case with `-` between its words, as GitHub does for team names in URLs.
 *
 * @example
 * slugOf("Release managers") // => "release-managers"
 */
export const slugOf = (name: string): string => nameKey(name).replaceAll(/[^\p{L}\p{N}]+/gu, "-")
