import { Duplicate, nameKey } from "@slipway/domain"
import type { OwnerId } from "@slipway/domain/forge/identity"
import { Result } from "effect"
import type { Snapshot } from "../../Database.ts"
import type { Tables } from "./tables.ts"

/** Reserves a name for an owner, and replaces a redirect that a rename has left under this name. */
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

/** Renames an owner. Its former names then redirect to it. */
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
