import { Duplicate, makeUuid, now, Transaction } from "@slipway/domain"
import { type Capability, isBuiltInRole } from "@slipway/domain/deploy/access"
import type { Authorized } from "@slipway/domain/deploy/entry"
import { type Role, RoleNotFound, RoleStore, RoleUuid } from "@slipway/domain/deploy/identity"
import { Effect } from "effect"
import { record } from "../../identity/audit/record.ts"
import { requireOwn } from "../grants/capabilities.ts"

/** The fields of a custom role. */
export interface RoleInput {
  readonly name: string
  readonly capabilities: ReadonlyArray<Capability>
}

const requireName = (name: string) =>
  isBuiltInRole(name.toLowerCase()) ? Effect.fail(new Duplicate({ of: "role.name" })) : Effect.void

/** Lists the custom roles of a team, oldest first. */
export const list = Effect.fnUntraced(function* ({ resource }: Authorized<"role.list">) {
  return yield* (yield* RoleStore).ofTeam(resource.team.id)
})

/** Creates a custom role. Fails if it has capabilities that the caller lacks on the team. */
export const create = Effect.fnUntraced(function* ({ resource }: Authorized<"role.create">, input: RoleInput) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* requireName(input.name)
      yield* requireOwn(caller, "role.create", { teamId: team.id }, input.capabilities)
      const at = yield* now
      const uuid = yield* makeUuid(RoleUuid)
      const role = yield* (yield* RoleStore).insert({ ...input, uuid, teamId: team.id, createdAt: at, updatedAt: at })
      const detail = `created the role ${input.name} with ${input.capabilities.join(", ")}`
      yield* record(caller, "done", { teamId: team.id, action: "role.create", object: uuid, detail })
      return role
    })
  )
})

/** Changes a custom role. Fails if the old or the new role has capabilities that the caller lacks. */
export const update = Effect.fnUntraced(function* ({ resource }: Authorized<"role.update">, input: Partial<RoleInput>) {
  const { caller, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* RoleStore
      const present = yield* store.lock(resource.role.uuid)
      if (present === undefined) return yield* new RoleNotFound()
      if (input.name !== undefined) yield* requireName(input.name)
      const role: Role = { ...present, ...input, updatedAt: yield* now }
      const changed = [...present.capabilities, ...role.capabilities]
      yield* requireOwn(caller, "role.update", { teamId: team.id }, changed)
      yield* store.replace(role)
      const detail = `changed the role ${role.name} to ${role.capabilities.join(", ")}`
      yield* record(caller, "done", { teamId: team.id, action: "role.update", object: role.uuid, detail })
      return role
    })
  )
})

/** Removes a custom role and all grants of it. */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"role.delete">) {
  const { caller, role, team } = resource
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* requireOwn(caller, "role.delete", { teamId: team.id }, role.capabilities)
      if (!(yield* Effect.orDie((yield* RoleStore).remove(role.uuid)))) return yield* new RoleNotFound()
      const detail = `removed the role ${role.name} with its grants`
      yield* record(caller, "done", { teamId: team.id, action: "role.delete", object: role.uuid, detail })
    })
  )
})
