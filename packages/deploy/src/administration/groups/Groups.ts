import { InvalidInput, makeUuid, now, Transaction } from "@slipway/domain"
import { PlacementStore } from "@slipway/domain/deploy/apps"
import type { Authorized, Caller } from "@slipway/domain/deploy/entry"
import {
  type AccountUuid,
  GroupNotFound,
  GroupStore,
  GroupUuid,
  type GroupWithMembers,
  MemberNotFound,
  mostGroups,
  type TeamId,
  TeamStore,
  TooManyGroups
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { record } from "../../identity/audit/record.ts"
import { heldBy, requireOwn } from "../grants/capabilities.ts"

/** Lists the groups of a team with their members, oldest group first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"team.group.list">) {
  return yield* (yield* GroupStore).ofTeam(resource.team.id)
})

/** Finds a group of a team; a group of another team is reported as missing. */
const find = Effect.fnUntraced(function* (teamId: TeamId, uuid: string) {
  const groups = yield* (yield* GroupStore).ofTeam(teamId)
  return groups.find((group) => group.uuid === uuid) ?? (yield* new GroupNotFound())
})

/**
 * Fails if a group has a capability that the caller lacks on the same place. Otherwise callers could give or take
 * capabilities that exceed their own.
 */
const requireOwnGrants = Effect.fnUntraced(function* (
  caller: Caller,
  action: string,
  { teamId, uuid }: GroupWithMembers
) {
  const held = yield* heldBy(teamId, uuid)
  const named = held.flatMap(({ placeUuid }) => placeUuid ?? [])
  const places = named.length === 0 ? new Map() : yield* (yield* PlacementStore).places(named)
  for (const { capabilities, placeUuid } of held) {
    const place = placeUuid === null ? undefined : places.get(placeUuid)?.place
    yield* requireOwn(caller, action, place ?? { teamId }, capabilities)
  }
})

/** Creates a group without members. */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"team.group.create">,
  { name }: { readonly name: string }
) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* (yield* TeamStore).lock(team.id)
      const store = yield* GroupStore
      if ((yield* store.ofTeam(team.id)).length >= mostGroups) return yield* new TooManyGroups()
      const at = yield* now
      const uuid = yield* makeUuid(GroupUuid)
      const group = yield* store.insert({ uuid, teamId: team.id, name, createdAt: at, updatedAt: at })
      const detail = `created the group ${name}`
      yield* record(caller, "done", { teamId: team.id, action: "team.group.create", object: uuid, detail })
      return group
    })
  )
})

/** Renames a group. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"team.group.update">,
  uuid: string,
  { name }: { readonly name?: string }
) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* (yield* TeamStore).lock(team.id)
      const present = yield* find(team.id, uuid)
      if (name === undefined || name === present.name) return present
      const { members, ...row } = present
      const group = { ...row, name, updatedAt: yield* now }
      yield* (yield* GroupStore).replace(group)
      const detail = `renamed the group ${present.name} to ${name}`
      yield* record(caller, "done", { teamId: team.id, action: "team.group.update", object: uuid, detail })
      return { ...group, members }
    })
  )
})

/** Removes a group with its grants. Fails if the grants have capabilities that the caller lacks. */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"team.group.delete">, uuid: string) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* (yield* TeamStore).lock(team.id)
      const group = yield* find(team.id, uuid)
      yield* requireOwnGrants(caller, "team.group.delete", group)
      yield* Effect.orDie((yield* GroupStore).remove(group.uuid))
      const detail = `removed the group ${group.name} with its grants`
      yield* record(caller, "done", { teamId: team.id, action: "team.group.delete", object: uuid, detail })
    })
  )
})

/** Adds a team member to a group. Fails if the group's grants have capabilities that the caller lacks. Idempotent. */
export const addMember = Effect.fnUntraced(function* (
  { resource }: Authorized<"team.group.member.add">,
  uuid: string,
  accountUuid: AccountUuid
) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* (yield* TeamStore).lock(team.id)
      const group = yield* find(team.id, uuid)
      yield* requireOwnGrants(caller, "team.group.member.add", group)
      if (group.members.includes(accountUuid)) return group
      const added = yield* (yield* GroupStore).addMember({ groupUuid: group.uuid, teamId: team.id, accountUuid })
      if (!added) {
        const problem = "Must be a member of the team: invite the account first."
        return yield* new InvalidInput({ problems: { account_uuid: [problem] } })
      }
      const detail = `added ${accountUuid} to the group ${group.name}`
      yield* record(caller, "done", { teamId: team.id, action: "team.group.member.add", object: uuid, detail })
      return { ...group, members: [...group.members, accountUuid] }
    })
  )
})

/** Removes an account from a group. Fails if the group's grants have capabilities that the caller lacks. */
export const removeMember = Effect.fnUntraced(function* (
  { resource }: Authorized<"team.group.member.remove">,
  uuid: string,
  accountUuid: AccountUuid
) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* (yield* TeamStore).lock(team.id)
      const group = yield* find(team.id, uuid)
      yield* requireOwnGrants(caller, "team.group.member.remove", group)
      const removed = yield* (yield* GroupStore).removeMember({ groupUuid: group.uuid, accountUuid })
      if (!removed) return yield* new MemberNotFound()
      const detail = `removed ${accountUuid} from the group ${group.name}`
      yield* record(caller, "done", { teamId: team.id, action: "team.group.member.remove", object: uuid, detail })
    })
  )
})
