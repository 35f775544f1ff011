import { InvalidInput } from "@slipway/domain"
import { type BuiltInRole, builtInRoles, type Capability, isBuiltInRole } from "@slipway/domain/deploy/access"
import { PlacementStore } from "@slipway/domain/deploy/apps"
import { type Caller, factsAt, NotAuthorized } from "@slipway/domain/deploy/entry"
import {
  type Grant,
  type GrantPlace,
  GrantStore,
  type GroupUuid,
  type HeldGrant,
  type Place,
  type Role,
  RoleStore,
  type RoleUuid,
  type TeamId
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"

/** A role that a request names: a built-in role, or a custom role with its uuid. */
export interface NamedRole {
  readonly name: string
  readonly role: BuiltInRole | null
  readonly roleUuid: RoleUuid | null
  readonly capabilities: ReadonlyArray<Capability>
}

const custom = ({ capabilities, name, uuid }: Role): NamedRole => ({ name, role: null, roleUuid: uuid, capabilities })

/** Adds the capabilities of its role to a grant. The role is a built-in role or one of `roles`. */
export const heldGrant = (
  { placeType, placeUuid, role, roleUuid, teamId }: Grant,
  roles: ReadonlyArray<Role>
): HeldGrant => ({
  teamId,
  placeType,
  placeUuid,
  capabilities: role === null ? (roles.find(({ uuid }) => uuid === roleUuid)?.capabilities ?? []) : builtInRoles[role]
})

/** Returns the grants of a group, each with the capabilities of its role. */
export const heldBy = Effect.fnUntraced(function* (teamId: TeamId, group: GroupUuid) {
  const grants = (yield* (yield* GrantStore).ofTeam(teamId)).filter(({ groupUuid }) => groupUuid === group)
  const roles = grants.length === 0 ? [] : yield* (yield* RoleStore).ofTeam(teamId)
  return grants.map((grant) => heldGrant(grant, roles))
})

/** Returns the role of a team by its name or uuid; fails if it does not exist. */
export const roleNamed = Effect.fnUntraced(function* (teamId: TeamId, name: string) {
  if (isBuiltInRole(name)) {
    return { name, role: name, roleUuid: null, capabilities: builtInRoles[name] } satisfies NamedRole
  }
  const roles = yield* (yield* RoleStore).ofTeam(teamId)
  const found = roles.find((role) => role.uuid === name || role.name === name)
  if (found !== undefined) return custom(found)
  const names = [...Object.keys(builtInRoles), ...roles.map((role) => role.name)].join(", ")
  return yield* new InvalidInput({ problems: { role: [`There is no such role: use one of ${names}.`] } })
})

/** Returns the place that a request names within a team. A place of another team is reported as missing. */
export const placeNamed = Effect.fnUntraced(function* (teamId: TeamId, type: GrantPlace, uuid: string | null) {
  if (type === "team") {
    if (uuid === null) return { teamId } satisfies Place
    return yield* new InvalidInput({ problems: { place_uuid: ["Must be omitted for the place `team`."] } })
  }
  const found = uuid === null ? undefined : (yield* (yield* PlacementStore).places([uuid])).get(uuid)
  if (found !== undefined && found.type === type && found.place.teamId === teamId) return found.place
  return yield* new InvalidInput({ problems: { place_uuid: [`There is no such ${type} in the team.`] } })
})

/** Fails if the caller lacks one of the capabilities on a place: callers can only grant capabilities that they have. */
export const requireOwn = (caller: Caller, action: string, place: Place, capabilities: ReadonlyArray<Capability>) => {
  const facts = factsAt(caller, true, place)
  const missing = facts.instance && facts.root ? undefined : capabilities.find((each) => !facts[each])
  if (missing === undefined) return Effect.void
  const because = `the role has the capability \`${missing}\`, which the caller lacks there`
  return Effect.fail(new NotAuthorized({ action, rule: "own", because }))
}
