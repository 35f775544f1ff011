import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import { builtInRoles, type Capability } from "@slipway/domain/deploy/access"
import { PlacementStore } from "@slipway/domain/deploy/apps"
import { type Action, type Authorized, type Caller, factsAt, policies } from "@slipway/domain/deploy/entry"
import {
  type Access,
  type AccountUuid,
  accountAccess,
  type Grant,
  GrantNotFound,
  type GrantPlace,
  GrantStore,
  GrantUuid,
  GroupStore,
  type HeldGrant,
  type Place,
  RoleStore,
  type TeamId,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { record } from "../../identity/audit/record.ts"
import { requireOwner } from "../teams/Teams.ts"
import { heldBy, placeNamed, requireOwn, roleNamed } from "./capabilities.ts"

/** The fields of a request that grants a role on a place (such as a team or project) to an account or group. */
export interface GrantInput {
  readonly accountUuid: AccountUuid | null
  readonly groupUuid: string | null
  readonly placeType: GrantPlace
  readonly placeUuid: string | null
  /** The name of a built-in role, or the name or uuid of a custom role. */
  readonly role: string
}

const isSame = (one: Grant, other: Omit<Grant, "id" | "uuid" | "createdAt" | "updatedAt">): boolean =>
  one.accountUuid === other.accountUuid &&
  one.groupUuid === other.groupUuid &&
  one.placeType === other.placeType &&
  one.placeUuid === other.placeUuid &&
  one.role === other.role &&
  one.roleUuid === other.roleUuid

const notMember = new InvalidInput({
  problems: { account_uuid: ["Must be a member of the team: invite the account first."] }
})

/** Returns the account or the group that a request names. Fails unless it names exactly one, in the team. */
const recipientOf = Effect.fnUntraced(function* (
  teamId: TeamId,
  { accountUuid, groupUuid }: Pick<GrantInput, "accountUuid" | "groupUuid">
) {
  if ((accountUuid === null) === (groupUuid === null)) {
    const problem = "Name either an account or a group (group_uuid)."
    return yield* new InvalidInput({ problems: { account_uuid: [problem] } })
  }
  if (groupUuid !== null) {
    const group = (yield* (yield* GroupStore).ofTeam(teamId)).find(({ uuid }) => uuid === groupUuid)
    if (group !== undefined) return { accountUuid: null, groupUuid: group.uuid }
    return yield* new InvalidInput({ problems: { group_uuid: ["There is no such group in the team."] } })
  }
  const members = yield* (yield* TeamStore).members(teamId)
  if (!members.some(({ uuid }) => uuid === accountUuid)) return yield* notMember
  return { accountUuid, groupUuid: null }
})

/** Lists the grants of a team, oldest first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"grant.list">) {
  return yield* (yield* GrantStore).ofTeam(resource.team.id)
})

/** Inserts a grant, or returns the existing equal grant. The caller must have locked the team. */
export const insert = Effect.fnUntraced(function* (
  caller: Caller,
  row: Omit<Grant, "id" | "uuid" | "createdAt" | "updatedAt">,
  detail: string
) {
  const store = yield* GrantStore
  const same = (yield* store.ofTeam(row.teamId)).find((each) => isSame(each, row))
  if (same !== undefined) return same
  const at = yield* now
  const uuid = yield* makeUuid(GrantUuid)
  const grant = yield* Effect.orDie(store.insert({ ...row, uuid, createdAt: at, updatedAt: at }))
  yield* record(caller, "done", { teamId: row.teamId, action: "grant.create", object: uuid, detail })
  return grant
})

/**
 * Grants a role on a place to a member or a group of a team. Fails if the role exceeds the caller's own capabilities on
 * that place. Idempotent.
 */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"grant.create">,
  { placeType, placeUuid, role: named, ...to }: GrantInput
) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* (yield* TeamStore).lock(team.id)
      const place = yield* placeNamed(team.id, placeType, placeUuid)
      const { capabilities, name, role, roleUuid } = yield* roleNamed(team.id, named)
      yield* requireOwn(caller, "grant.create", place, capabilities)
      const recipient = yield* recipientOf(team.id, to)
      const row = { teamId: team.id, ...recipient, placeType, placeUuid, role, roleUuid }
      const target = recipient.accountUuid ?? `the group ${recipient.groupUuid}`
      return yield* insert(caller, row, `granted ${name} on ${placeType} ${placeUuid ?? team.id} to ${target}`)
    })
  )
})

/** Returns the capabilities of the role that a grant gives. */
export const capabilitiesOf = Effect.fnUntraced(function* ({ role, roleUuid }: Pick<Grant, "role" | "roleUuid">) {
  if (role !== null) return builtInRoles[role] as ReadonlyArray<Capability>
  const found = roleUuid === null ? undefined : yield* (yield* RoleStore).find(roleUuid)
  return found?.capabilities ?? []
})

const placeOfGrant = Effect.fnUntraced(function* ({ placeUuid, teamId }: Grant) {
  if (placeUuid === null) return { teamId } satisfies Place
  return (yield* (yield* PlacementStore).places([placeUuid])).get(placeUuid)?.place ?? ({ teamId } satisfies Place)
})

/** Revokes a grant. Fails if its capabilities exceed the caller's, or if the team would lose its last owner. */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"grant.delete">) {
  const { caller, grant } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* (yield* TeamStore).lock(grant.teamId)
      yield* requireOwn(caller, "grant.delete", yield* placeOfGrant(grant), yield* capabilitiesOf(grant))
      yield* requireOwner(grant.teamId, ({ uuid }) => uuid === grant.uuid)
      if (!(yield* Effect.orDie((yield* GrantStore).remove(grant.uuid)))) return yield* new GrantNotFound()
      const detail = `revoked ${grant.role ?? grant.roleUuid} on ${grant.placeType} of ${grant.accountUuid ?? `the group ${grant.groupUuid}`}`
      yield* record(caller, "done", { teamId: grant.teamId, action: "grant.delete", object: grant.uuid, detail })
    })
  )
})

/**
 * Returns the actions that a grant would additionally allow on its place: to a member, or to an account that only has
 * the grants of the group. Changes nothing; fails as `create` does.
 *
 * The actions are those of a token with every ability.
 */
export const preview = Effect.fnUntraced(function* (
  { resource }: Authorized<"grant.create">,
  { placeType, placeUuid, role: named, ...to }: GrantInput
) {
  const { caller, team } = resource
  const place = yield* placeNamed(team.id, placeType, placeUuid)
  const { capabilities } = yield* roleNamed(team.id, named)
  yield* requireOwn(caller, "grant.create", place, capabilities)
  const { accountUuid, groupUuid } = yield* recipientOf(team.id, to)
  const found =
    accountUuid === null
      ? { isRoot: false, teams: [team.id], grants: groupUuid === null ? [] : yield* heldBy(team.id, groupUuid) }
      : yield* (yield* GrantStore).accessOf(accountUuid)
  if (found === undefined || !found.teams.includes(team.id)) return yield* notMember
  const access = accountAccess(found, team.id)
  const held: HeldGrant = { teamId: team.id, placeType, placeUuid, capabilities }
  const mayWith = (wanted: Access) => {
    const facts = factsAt({ ...caller, abilities: ["root"], access: wanted }, true, place)
    return (action: Action) => policies[action].allows(facts)
  }
  const [before, after] = [mayWith(access), mayWith({ ...access, grants: [...access.grants, held] })]
  return (Object.keys(policies) as ReadonlyArray<Action>).filter((action) => !before(action) && after(action))
})
