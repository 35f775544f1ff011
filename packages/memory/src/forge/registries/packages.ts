import { nameKey } from "@slipway/domain"
import { PackageSearch, type PackageVersion, packageVersions } from "@slipway/domain/forge/registries"
import { Effect, Layer } from "effect"
import { byId, cut } from "../base/pages.ts"
import { Tables } from "../base/tables.ts"

/** Lists the versions of an owner's packages in memory. */
export const packageSearch = Layer.effect(
  PackageSearch,
  Effect.map(Tables, ({ database, owned }) => ({
    versions: (owner, { text = "", type }, page) =>
      database.read((snapshot) => {
        const key = nameKey(text)
        const rows = owned.get(packageVersions.name)?.rows.list(snapshot, { limit: Number.POSITIVE_INFINITY }) ?? []
        // BOUNDARY: the rows of a kind are those that its declaration describes.
        const found = (rows as unknown as ReadonlyArray<PackageVersion>).filter(
          (row) =>
            row.ownerId === owner &&
            (type === undefined || row.type === type) &&
            key.isWellFormed() &&
            nameKey(row.name).includes(key)
        )
        return cut(found.toReversed(), page, byId, { descending: true })
      })
  }))
)
