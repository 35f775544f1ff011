import type { OwnerKey } from "@slipway/domain/forge/code"
import { packages, packageVersions } from "@slipway/domain/forge/registries"
import { Effect } from "effect"
import { moment } from "./builders.ts"

/** Stores a package of an owner with some versions. */
export const newPackageOf = Effect.fnUntraced(function* (
  owner: OwnerKey,
  type: string,
  name: string,
  ...versions: ReadonlyArray<string>
) {
  const ids = {
    ownerId: owner.id,
    userId: owner.kind === "user" ? owner.id : null,
    organizationId: owner.kind === "organization" ? owner.id : null
  }
  const { id: packageId } = yield* (yield* packages.store).insert({ ...ids, type, name })
  const rows = yield* (yield* packageVersions.store).insertMany(
    versions.map((version, at) => ({
      packageId,
      ownerId: owner.id,
      type,
      name,
      version,
      creatorId: null,
      createdAt: moment(at)
    }))
  )
  return { packageId, versions: rows }
})
