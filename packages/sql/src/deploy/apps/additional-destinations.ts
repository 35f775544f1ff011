import { type AdditionalDestination, AdditionalDestinationStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { moment, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader } from "../base/reader.ts"

const destinations = reader<AdditionalDestination>("additional_destination", {
  applicationUuid: text("application_uuid"),
  copyUuid: text("copy_uuid"),
  createdAt: time("created_at")
})

/** Stores in PostgreSQL which applications are copies at additional destinations. */
export const layerAdditionalDestinations = Layer.effect(
  AdditionalDestinationStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(destinations.all)
    return {
      insert: (row) =>
        Effect.map(
          orDieSql(
            sql`
            INSERT INTO additional_destination (application_uuid, copy_uuid, created_at)
            SELECT application.uuid, copied.uuid, ${moment(row.createdAt)}
            FROM application, application copied
            WHERE application.uuid = ${lookup(row.applicationUuid)} AND copied.uuid = ${lookup(row.copyUuid)}
            ON CONFLICT (copy_uuid) DO NOTHING
            RETURNING copy_uuid`.values
          ),
          (rows) => rows.length > 0
        ),
      among: (copies) =>
        copies.length === 0
          ? Effect.succeed([])
          : Effect.map(
              orDieSql(
                sql`
                SELECT ${all} FROM additional_destination WHERE ${sql.in("copy_uuid", copies.map(lookup))}`.values
              ),
              destinations.read
            ),
      ofApplication: (application) =>
        Effect.map(
          orDieSql(
            sql`
            SELECT ${all} FROM additional_destination
            WHERE application_uuid = ${lookup(application)} ORDER BY id`.values
          ),
          destinations.read
        )
    }
  })
)
