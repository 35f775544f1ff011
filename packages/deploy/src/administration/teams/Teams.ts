import { now, Transaction } from "@slipway/domain"
import { type Authorized, system } from "@slipway/domain/deploy/entry"
import {
  AccountNotFound,
  AccountStore,
  type AccountUuid,
  everything,
  GrantStore,
  LastTeamOwner,
  MemberNotFound,
  rootTeam,
  type Team,
  type TeamId,
  TeamNotFound,
  TeamStore
} from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { record } from "../../identity/audit/record.ts"
import * as InstanceSettings from "../settings/InstanceSettings.ts"

/** The fields of a team that its owners set. */
export interface TeamInput {
  readonly name: string
  readonly description: string
  readonly tokenDays: number | null
}

/** Returns a team with its creation and update times. For the root team, the creation time is that of the instance. */
const shown = Effect.fnUntraced(function* (team: Team) {
  if (team.id !== rootTeam) return team
  const { createdAt, updatedAt } = yield* InstanceSettings.get(system("settings.read"))
  return { ...team, createdAt, updatedAt: team.updatedAt > updatedAt ? team.updatedAt : updatedAt } satisfies Team
})

/** Finds a team by its numeric id. */
export const find = Effect.fnUntraced(function* (id: TeamId) {
  const team = yield* (yield* TeamStore).find(id)
  return team === undefined ? undefined : yield* shown(team)
})

/** Lists the teams of the caller. Members of the root team get all teams if their token has the ability `root`. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"teams.read">) {
  const { abilities, access } = resource.caller
  const all = yield* (yield* TeamStore).list
  const seesAll = access === everything || (access.teams.includes(rootTeam) && abilities.includes("root"))
  const mine = seesAll ? all : all.filter(({ id }) => access.teams.includes(id))
  return yield* Effect.forEach(mine, shown)
})

/** Creates a team without members. The first member joins by an invitation with the role `owner`. */
export const create = Effect.fnUntraced(function* ({ resource }: Authorized<"team.create">, input: TeamInput) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const at = yield* now
      const team = yield* (yield* TeamStore).insert({ ...input, createdAt: at, updatedAt: at })
      const detail = `created the team ${team.name}`
      yield* record(resource.caller, "done", {
        teamId: team.id,
        action: "team.create",
        object: String(team.id),
        detail
      })
      return team
    })
  )
})

/** Changes the name, the description or other settings of a team. */
export const update = Effect.fnUntraced(function* ({ resource }: Authorized<"team.update">, input: Partial<TeamInput>) {
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* TeamStore
      const present = yield* store.lock(resource.team.id)
      if (present === undefined) return yield* new TeamNotFound()
      const team: Team = { ...present, ...input, updatedAt: yield* now }
      yield* store.replace(team)
      const detail = `changed ${Object.keys(input).join(", ")}`
      yield* record(resource.caller, "done", {
        teamId: team.id,
        action: "team.update",
        object: String(team.id),
        detail
      })
      return yield* shown(team)
    })
  )
})

/** Removes a team. Fails if it has resources, and for the root team. */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"team.delete">) {
  const { id, name } = resource.team
  // The root team owns the instance.
  if (id === rootTeam) return yield* new LastTeamOwner()
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const removed = yield* (yield* TeamStore).remove(id)
      if (!removed) return yield* new TeamNotFound()
      const detail = `removed the team ${name}`
      yield* record(resource.caller, "done", { teamId: rootTeam, action: "team.delete", object: String(id), detail })
    })
  )
})

/** Lists the accounts of the members of a team, oldest membership first. */
export const members = Effect.fnUntraced(function* ({
  resource
}: Authorized<"team.member.list"> | Authorized<"team.read">) {
  return yield* (yield* TeamStore).members(resource.team.id)
})

/** Adds an account to a team without an invitation; only owners of the root team may do so. Idempotent. */
export const addMember = Effect.fnUntraced(function* (
  { resource }: Authorized<"team.member.add">,
  accountUuid: AccountUuid
) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const account = yield* (yield* AccountStore).find(accountUuid)
      if (account === undefined) return yield* new AccountNotFound()
      const added = yield* (yield* TeamStore).addMember({ teamId: team.id, accountUuid, createdAt: yield* now })
      const detail = `added ${account.name}`
      if (added) {
        yield* record(caller, "done", { teamId: team.id, action: "team.member.add", object: accountUuid, detail })
      }
      return account
    })
  )
})

/** Fails if a removal of grants leaves a team without an owner. The root team is exempt: tokens own it as well. */
export const requireOwner = Effect.fnUntraced(function* (
  team: TeamId,
  isRemoved: (grant: { readonly uuid: string; readonly accountUuid: AccountUuid | null }) => boolean
) {
  if (team === rootTeam) return
  const owners = (yield* (yield* GrantStore).ofTeam(team)).filter(
    // A group may have no members.
    ({ accountUuid, placeType, role }) => accountUuid !== null && placeType === "team" && role === "owner"
  )
  if (owners.some(isRemoved) && owners.every(isRemoved)) return yield* new LastTeamOwner()
})

/** Removes a member and the member's grants from a team. Fails for the last owner. */
export const removeMember = Effect.fnUntraced(function* (
  { resource }: Authorized<"team.member.remove">,
  accountUuid: AccountUuid
) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* TeamStore
      // Locked, so that of two concurrent removals the second sees the first.
      yield* store.lock(team.id)
      yield* requireOwner(team.id, (grant) => grant.accountUuid === accountUuid)
      if (!(yield* store.removeMember(team.id, accountUuid))) return yield* new MemberNotFound()
      const detail = "removed the member with its grants"
      yield* record(caller, "done", { teamId: team.id, action: "team.member.remove", object: accountUuid, detail })
    })
  )
})
