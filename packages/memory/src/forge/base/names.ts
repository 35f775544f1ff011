import { Duplicate, nameKey } from "@slipway/domain"
import type { OwnerId } from "@slipway/domain/forge/identity"
import { Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import type { Tables } from "./tables.ts"

/** Reserves a name, replacing a redirect left by a rename. */
export const takeName = (
  { name: register }: Tables["Service"],
  snapshot: Snapshot,
  name: string,
  ownerId: OwnerId
): Result.Result<unknown, Duplicate> => {
  const key = nameKey(name)
  const holder = register.find(snapshot, key)
  if (holder === undefined) return register.insert(snapshot, { key, ownerId, current: true })
  if (holder.current && holder.ownerId !== ownerId) return Result.fail(new Duplicate({ of: "owner.name" }))
  return register.replace(snapshot, { ...holder, ownerId, current: true })
}

/** Renames an owner in the register; its former names redirect to it from then on. */
export const changeName = (
  tables: Tables["Service"],
  snapshot: Snapshot,
  name: string,
  ownerId: OwnerId
): Result.Result<unknown, Duplicate> =>
  Result.gen(function* () {
    for (const held of tables.namesOf.list(snapshot, String(ownerId))) {
      yield* tables.name.replace(snapshot, { ...held, current: false })
    }
    return yield* takeName(tables, snapshot, name, ownerId)
  })
