import type { PageRequest } from "@slipway/domain"
import { Transaction } from "@slipway/domain"
import type { TeamVisibility, Units } from "@slipway/domain/forge/access"
import type { RepositoryWithGrants } from "@slipway/domain/forge/code"
import { type Repository, RepositoryNotFound, RepositoryStore, viewerOn } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type Actor,
  type FoundTeam,
  LastOwner,
  MemberStore,
  type Organization,
  type OrganizationMembership,
  OrganizationNotFound,
  OrganizationStore,
  OwnersTeamFixed,
  sameName,
  signedInUser,
  type Team,
  type TeamFilter,
  TeamHoldsAll,
  type TeamName,
  TeamNameTaken,
  TeamNotFound,
  TeamStore,
  type UnitsInput,
  UserNotFound,
  UserStore,
  unitsOfEditedTeam,
  unitsOfNewTeam
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import * as Entry from "../../entry/Entry.ts"
import { findUserUnlessHiddenRename, findVisibleUser, ignoreMissing } from "../accounts/Users.ts"

/** The fields of a new team; omitted ones take the defaults of the specification. */
export interface NewTeamInput extends UnitsInput {
  readonly name: TeamName
  readonly description?: string | undefined
  readonly includesAllRepositories?: boolean | undefined
  readonly mayCreateRepositories?: boolean | undefined
  readonly visibility?: TeamVisibility | undefined
}

/** The fields of a team that an edit changes; omitted ones stay unchanged. */
export interface TeamEdit extends Omit<NewTeamInput, "name"> {
  /** An omitted or empty name keeps the current one. */
  readonly name?: TeamName | "" | undefined
}

const taken = (name: string) => () => new TeamNameTaken({ name })

/**
 * Runs a change within an organization while holding its lock.
 *
 * All changes of teams, members and blocks lock the organization first, so that they run one after the other.
 */
export const inOrganization = Effect.fnUntraced(function* <A, E, R>(
  { id, name }: Pick<Organization, "id" | "name">,
  change: Effect.Effect<A, E, R>
) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      if ((yield* (yield* OrganizationStore).lock(id)) === undefined) return yield* new OrganizationNotFound({ name })
      return yield* change
    })
  )
})

/** Runs a change of a team under the organization's lock; fails if the team was deleted meanwhile. */
const inTeam = <A, E, R>({ organization, team }: FoundTeam, change: (team: Team) => Effect.Effect<A, E, R>) =>
  inOrganization(
    organization,
    Effect.gen(function* () {
      const present = yield* (yield* TeamStore).find(team.id)
      return yield* present === undefined ? new TeamNotFound({ id: team.id }) : change(present)
    })
  )

/** Lists the teams of an organization that the caller sees, by name. Source: "Team rules", 4. */
export const list = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.team.list">,
  page: PageRequest
) {
  return yield* (yield* TeamStore).list(actor, organization.id, {}, page)
})

/** Searches the teams of an organization that the caller sees, by a part of their name or description. */
export const search = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.team.search">,
  filter: TeamFilter,
  page: PageRequest
) {
  return yield* (yield* TeamStore).list(actor, organization.id, filter, page)
})

/** Lists the teams that the caller is in, with their organizations. */
export const listOwn = Effect.fnUntraced(function* ({ resource }: Proof<"account.team.list">, page: PageRequest) {
  return yield* (yield* TeamStore).ofUser(resource.actor, signedInUser(resource).id, page)
})

/** Creates a team without members. Source: "Team rules", 1. */
export const create = audited(
  Effect.fnUntraced(function* ({ resource: { organization } }: Proof<"organization.team.create">, input: NewTeamInput) {
    const units = yield* Effect.fromResult(unitsOfNewTeam(input))
    const { description = "", includesAllRepositories = false, mayCreateRepositories = false, name } = input
    const team = {
      organizationId: organization.id,
      owners: false,
      name,
      description,
      units,
      includesAllRepositories,
      mayCreateRepositories,
      visibility: input.visibility ?? ("private" as const)
    }
    return yield* inOrganization(organization, Effect.mapError((yield* TeamStore).insert(team), taken(name)))
  }),
  (team) => ({ team })
)

/** Reads a team. */
export const read = ({ resource: { team } }: Proof<"team.read">): Team => team

/**
 * Returns a team after an edit.
 *
 * The Owners team keeps its name, visibility and permissions; only its description changes. Source: "Team rules", 2,
 * and decisions, "Owners team".
 */
const edited = Effect.fnUntraced(function* (team: Team, input: TeamEdit) {
  const { description = team.description, visibility = team.visibility } = input
  const name = input.name === undefined || input.name === "" ? team.name : input.name
  if (team.owners) {
    if (!sameName(name, team.name)) return yield* new OwnersTeamFixed({ field: "name" })
    if (visibility !== team.visibility) return yield* new OwnersTeamFixed({ field: "visibility" })
    return { ...team, description }
  }
  const units: Units = yield* Effect.fromResult(unitsOfEditedTeam(team.units, input))
  const { includesAllRepositories = team.includesAllRepositories, mayCreateRepositories = team.mayCreateRepositories } =
    input
  return { ...team, name, description, visibility, units, includesAllRepositories, mayCreateRepositories }
})

/** Edits a team; omitted fields stay unchanged. */
export const edit = audited(
  ({ resource }: Proof<"team.edit">, input: TeamEdit) =>
    inTeam(
      resource,
      Effect.fnUntraced(function* (present) {
        const team = yield* edited(present, input)
        yield* Effect.mapError((yield* TeamStore).replace(team), taken(team.name))
        return team
      })
    ),
  (team, input) => ({ team, details: { fields: Object.keys(input).sort().join() } })
)

/** Deletes a team; members without another team leave the organization (invariant I7). */
export const remove = audited(({ resource }: Proof<"team.delete">) =>
  inTeam(resource, ({ id }) => Effect.asVoid(Effect.flatMap(TeamStore, (teams) => teams.remove(id))))
)

/** Returns whether the actor manages the members of a team, and therefore also sees hidden accounts among them. */
const managesMembers = ({ facts }: Actor, { owner }: Pick<OrganizationMembership, "owner">): boolean =>
  !facts.publicOnly && (facts.siteAdmin || owner)

/** Lists the members of a team that the caller sees, by name; organization owners see all. */
export const members = Effect.fnUntraced(function* (
  { resource: { actor, membership, team } }: Proof<"team.member.list">,
  page: PageRequest
) {
  return yield* (yield* TeamStore).members(actor, team.id, page, managesMembers(actor, membership))
})

/** Reads a member of a team; a non-member or a hidden member is reported as missing. */
export const member = Effect.fnUntraced(function* (
  { resource: { actor, membership, team } }: Proof<"team.member.read">,
  name: string
) {
  const manages = managesMembers(actor, membership)
  const user = yield* manages ? findUserUnlessHiddenRename(actor, name) : findVisibleUser(actor, name)
  if (!(yield* (yield* TeamStore).hasMember(team.id, user.id))) return yield* new UserNotFound({ name })
  const found = yield* (yield* UserStore).findMany(actor, [user.id])
  return found.get(user.id) ?? (yield* new UserNotFound({ name }))
})

/**
 * Adds a user to a team, and thereby to the organization; a hidden user is found by current name only.
 *
 * Authorizes again under the organization's lock, because the user may have been blocked since the first check.
 */
export const addMember = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"team.member.add">, name: string) {
    const user = yield* findUserUnlessHiddenRename(resource.actor, name)
    return yield* inTeam(
      resource,
      Effect.fnUntraced(function* (team) {
        yield* Entry.authorizeElsewhere("team.member.add", resource.actor, {
          kind: "team",
          id: team.id,
          named: user.name
        })
        // The team cannot be deleted under the organization's lock, so the user is missing.
        if (!(yield* (yield* TeamStore).addMember(team.id, user.id))) return yield* new UserNotFound({ name })
      })
    )
  }),
  (_, name) => ({ details: { user: name } })
)

/**
 * Removes a member, even one hidden from the caller.
 *
 * Fails for the last owner; does nothing for non-members.
 */
export const removeMember = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"team.member.remove">, name: string) {
    const user = yield* findUserUnlessHiddenRename(resource.actor, name)
    return yield* inTeam(
      resource,
      Effect.fnUntraced(function* (team) {
        const teams = yield* TeamStore
        if (!(yield* teams.hasMember(team.id, user.id))) return yield* ignoreMissing(resource.actor, user)
        if (team.owners && (yield* (yield* MemberStore).countOwners(team.organizationId)) < 2) {
          return yield* new LastOwner({ organization: resource.organization.name })
        }
        yield* teams.removeMember(team.id, user.id)
      })
    )
  }),
  (_, name) => ({ details: { user: name } })
)

/** Lists the repositories of a team that the caller has access to, with the caller's grants. */
export const repositories = Effect.fnUntraced(function* (
  { resource: { actor, team } }: Proof<"team.repository.list">,
  page: PageRequest
) {
  return yield* (yield* RepositoryStore).list(yield* viewerOn(actor), { team: team.id }, page)
})

const missing = ({ name, owner }: Repository) => new RepositoryNotFound({ name: `${owner.name}/${name}` })

/** Reads a repository of a team; a repository outside the team is reported as missing. */
export const repository = Effect.fnUntraced(function* ({ resource }: Proof<"team.repository.read">) {
  if (!(yield* (yield* TeamStore).holds(resource.team.id, resource.repository.id))) {
    return yield* missing(resource.repository)
  }
  const { grants, repository }: RepositoryWithGrants = resource
  return { grants, repository }
})

/** Grants a team access to a repository; a repository of another owner is reported as missing (invariant I6). */
export const addRepository = audited(({ resource }: Proof<"team.repository.add">) =>
  inTeam(
    resource,
    Effect.fnUntraced(function* (team) {
      if (!(yield* (yield* TeamStore).addRepository(team.id, resource.repository.id))) {
        return yield* missing(resource.repository)
      }
    })
  )
)

/** Revokes a team's access to a repository; fails for a team that includes all repositories. */
export const removeRepository = audited(({ resource }: Proof<"team.repository.remove">) =>
  inTeam(
    resource,
    Effect.fnUntraced(function* (team) {
      const teams = yield* TeamStore
      if (!(yield* teams.holds(team.id, resource.repository.id))) return yield* missing(resource.repository)
      if (team.includesAllRepositories) return yield* new TeamHoldsAll({ name: team.name })
      yield* teams.removeRepository(team.id, resource.repository.id)
    })
  )
)
