import { type S3Storage, S3StorageStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeCollection } from "../../collection/collection.ts"
import { boolean, integer, nullable, text } from "../../collection/columns.ts"
import { deployTable } from "../base/tables.ts"
import { ofTeam, visibleCollection } from "../base/visible.ts"

const s3Storages = deployTable<S3Storage>("s3_storage", {
  teamId: integer("team_id"),
  name: text("name"),
  description: text("description"),
  endpoint: text("endpoint"),
  region: text("region"),
  bucket: text("bucket"),
  accessKey: text("access_key"),
  secretKey: text("secret_key"),
  isUsable: boolean("is_usable"),
  recipient: nullable(text("recipient")),
  identity: nullable(text("identity"))
})

/** Stores the settings of S3 storages in PostgreSQL. An S3 storage that a backup schedule uses cannot be removed. */
export const layerS3Storages = Layer.effect(
  S3StorageStore,
  Effect.map(SqlClient, (sql) => {
    const rows = makeCollection(sql, { ...s3Storages, isNeeded: true })
    const collection = visibleCollection(sql, rows, ofTeam("s3_storage.team_id"))
    return {
      ...collection,
      findMany: (uuids) =>
        uuids.length === 0 ? Effect.succeed([]) : collection.select(sql`WHERE ${sql.in("uuid", uuids)} ORDER BY id`)
    }
  })
)
