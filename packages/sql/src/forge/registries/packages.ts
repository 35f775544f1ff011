import { type PackageFilter, PackageSearch, type PackageVersion } from "@slipway/domain/forge/registries"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { integer, nullable, text, time } from "../../collection/columns.ts"
import { countedPage, newestFirst } from "../base/pages.ts"
import { reader } from "../base/rows.ts"
import { containsText } from "../base/trigrams.ts"
import { idParameter } from "../identity/units.ts"

const versions = reader<PackageVersion>({
  id: integer("id"),
  packageId: integer("package_id"),
  ownerId: integer("owner_id"),
  type: text("type"),
  name: text("name"),
  version: text("version"),
  creatorId: nullable(integer("creator_id")),
  createdAt: time("created_at")
})

/** Lists the versions of an owner's packages in PostgreSQL. */
export const layerPackageSearch = Layer.effect(
  PackageSearch,
  Effect.map(SqlClient, (sql) => ({
    versions: (owner, { repositoryId, text: sought = "", type }: PackageFilter, page) =>
      countedPage(
        sql,
        versions,
        {
          table: "package_version",
          from: sql`package_version seen`,
          where: sql.and([
            sql`seen.owner_id = ${idParameter(owner)}::bigint`,
            type === undefined ? sql`true` : sql`seen.type = ${lookup(type)}::text`,
            repositoryId === undefined
              ? sql`true`
              : sql`exists (select from package_link link where link.package_id = seen.package_id and link.repository_id = ${idParameter(repositoryId)}::bigint)`,
            containsText(sql, ["seen.name_key"], sought)
          ]),
          order: newestFirst,
          planned: sought !== ""
        },
        page
      )
  }))
)
