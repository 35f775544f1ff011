import { nameKey } from "@slipway/domain"
import type { AllowedPeople } from "@slipway/domain/forge/code"
import { ProtectionStore, type Repository, RepositoryNotFound, RepositoryStore } from "@slipway/domain/forge/code"
import type { Actor, TeamId, UserId } from "@slipway/domain/forge/identity"
import { canSee, TeamStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"

/**
 * The names of users and teams on an allow list of a protection. An omitted list stays unchanged. A given list replaces
 * the stored one, except for stored users and teams that are hidden from the actor: these stay.
 */
export interface PeopleInput {
  readonly users?: ReadonlyArray<string> | undefined
  readonly teams?: ReadonlyArray<string> | undefined
}

/** The permissions in protections for which users and teams can be allowed. */
export type PeopleList = "approvals" | "forcePush" | "merge" | "push" | "tag"

/** Reports that a field of a branch or tag protection is invalid, with the problem. */
export class ProtectionInvalid extends Schema.TaggedError<ProtectionInvalid>()("ProtectionInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}

/** Reports that a repository has no branch or tag protection with this name or id. */
export class ProtectionNotFound extends Schema.TaggedError<ProtectionNotFound>()("ProtectionNotFound", {
  name: Schema.String
}) {}

/** The maximum number of users, and of teams, on an allow list of a protection. */
export const mostAllowed = 100

const teamsOf = Effect.fnUntraced(function* (
  actor: Actor,
  { owner }: Repository,
  filter: { readonly ids: ReadonlyArray<TeamId> } | { readonly names: ReadonlyArray<string> }
) {
  const count = "ids" in filter ? filter.ids.length : filter.names.length
  if (owner.kind !== "organization" || count === 0) return []
  return (yield* (yield* TeamStore).list(actor, owner.id, filter, { page: 1, perPage: count })).rows
})

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

/** Returns the values for a list of names, or an error for the request field. A hidden name is reported as missing. */
const found = <A>(field: string, names: ReadonlyArray<string>, known: ReadonlyMap<string, A>) => {
  const unknown = names.find((name) => !known.has(nameKey(name)))
  if (unknown !== undefined) return new ProtectionInvalid({ field, problem: `\`${unknown}\` does not exist` })
  if (names.length <= mostAllowed) return unique(names.flatMap((name) => known.get(nameKey(name)) ?? []))
  return new ProtectionInvalid({ field, problem: `must have at most ${mostAllowed} names` })
}

/**
 * Looks up the names of all allow lists with one query, and returns a function that converts the names of one list to
 * ids.
 */
export const peopleNamed = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  lists: { readonly [L in PeopleList]?: PeopleInput | undefined }
) {
  const presentLists = Object.values(lists).filter((list) => list !== undefined)
  const names = {
    users: unique(presentLists.flatMap(({ users = [] }) => users.map(nameKey))),
    teams: unique(presentLists.flatMap(({ teams = [] }) => teams.map(nameKey)))
  }
  const users =
    names.users.length === 0
      ? []
      : (yield* (yield* UserStore).search(actor, { names: names.users }, { page: 1, perPage: names.users.length })).rows
  const teams = yield* teamsOf(actor, repository, { names: names.teams })
  const userIds = new Map(users.map(({ id, name }) => [nameKey(name), id]))
  const teamIds = new Map(teams.map(({ id, name }) => [nameKey(name), id]))
  const allowed = new Map<PeopleList, Partial<AllowedPeople>>()
  for (const [list, { teams, users } = {}] of Object.entries(lists) as ReadonlyArray<[PeopleList, PeopleInput?]>) {
    const foundUsers = users && found<UserId>(`${list}.users`, users, userIds)
    const foundTeams = teams && found<TeamId>(`${list}.teams`, teams, teamIds)
    if (foundUsers instanceof ProtectionInvalid) return yield* foundUsers
    if (foundTeams instanceof ProtectionInvalid) return yield* foundTeams
    allowed.set(list, { ...(foundUsers && { users: foundUsers }), ...(foundTeams && { teams: foundTeams }) })
  }
  return (list: PeopleList): Partial<AllowedPeople> => allowed.get(list) ?? {}
})

/** The names of users and teams by id; those hidden from the actor are missing. */
export interface PeopleNames {
  readonly users: ReadonlyMap<UserId, string>
  readonly teams: ReadonlyMap<TeamId, string>
}

/** Reads the names of the users and teams on all allow lists; those hidden from the actor are omitted. */
export const namesOfPeople = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  allowed: ReadonlyArray<AllowedPeople>
) {
  const ids = {
    users: unique(allowed.flatMap(({ users }) => users)),
    teams: unique(allowed.flatMap(({ teams }) => teams))
  }
  const found = yield* (yield* UserStore).findMany(actor, ids.users)
  const users = [...found.values()].filter(canSee(actor))
  const teams = yield* teamsOf(actor, repository, { ids: ids.teams })
  return {
    users: new Map(users.map(({ id, name }) => [id, name])),
    teams: new Map(teams.map(({ id, name }) => [id, name]))
  } satisfies PeopleNames
})

/**
 * Returns a function that replaces the given lists of a stored allow list. Stored users and teams that are hidden from
 * the actor stay: the actor was shown the list without them, and did not choose to remove them.
 */
export const peopleReplaced = Effect.fnUntraced(function* (
  actor: Actor,
  repository: Repository,
  before: ReadonlyArray<AllowedPeople>
) {
  const visible = yield* namesOfPeople(actor, repository, before)
  const replaced = <Id>(
    shown: ReadonlyMap<Id, string>,
    stored: ReadonlyArray<Id>,
    given: ReadonlyArray<Id> | undefined
  ): ReadonlyArray<Id> => (given === undefined ? stored : unique([...given, ...stored.filter((id) => !shown.has(id))]))
  return ({ teams, users }: AllowedPeople, given: Partial<AllowedPeople>): AllowedPeople => ({
    users: replaced(visible.users, users, given.users),
    teams: replaced(visible.teams, teams, given.teams)
  })
})

/** Locks a repository until the transaction ends, so that its branch and tag protections do not change concurrently. */
export const lockRepository = Effect.fnUntraced(function* ({ id, name, owner }: Repository) {
  if ((yield* (yield* RepositoryStore).lock(id)) === undefined) {
    return yield* new RepositoryNotFound({ name: `${owner.name}/${name}` })
  }
  return yield* ProtectionStore
})
