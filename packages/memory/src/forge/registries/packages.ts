import { nameKey } from "@slipway/domain"
import {
  type PackageLink,
  PackageSearch,
  type PackageVersion,
  packageLinks,
  packageVersions
} from "@slipway/domain/forge/registries"
import { Effect, Layer } from "effect"
import { byId, cut } from "../base/pages.ts"
import { Tables } from "../base/tables.ts"

/** Lists the versions of an owner's packages in memory. */
export const packageSearch = Layer.effect(
  PackageSearch,
  Effect.map(Tables, ({ database, owned }) => ({
    versions: (owner, { repositoryId, text = "", type }, page) =>
      database.read((snapshot) => {
        const key = nameKey(text)
        const rows = owned.get(packageVersions.name)?.rows.list(snapshot, { limit: Number.POSITIVE_INFINITY }) ?? []
        const links = owned.get(packageLinks.name)?.rows.list(snapshot, { limit: Number.POSITIVE_INFINITY }) ?? []
        const linked = new Set(
          (links as unknown as ReadonlyArray<PackageLink>)
            .filter((link) => link.repositoryId === repositoryId)
            .map(({ packageId }) => packageId)
        )
        // BOUNDARY: the rows of a kind are those that its declaration describes.
        const found = (rows as unknown as ReadonlyArray<PackageVersion>).filter(
          (row) =>
            row.ownerId === owner &&
            (type === undefined || row.type === type) &&
            (repositoryId === undefined || linked.has(row.packageId)) &&
            key.isWellFormed() &&
            nameKey(row.name).includes(key)
        )
        return cut(found.toReversed(), page, byId, { descending: true })
      })
  }))
)
