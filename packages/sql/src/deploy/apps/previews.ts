import { PgTypes } from "@effect/sql-pg"
import { type Preview, PreviewStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { integer, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader } from "../base/reader.ts"

const previews = reader<Preview>("preview", {
  applicationUuid: text("application_uuid"),
  pullRequestId: integer("pull_request_id"),
  previewUuid: text("preview_uuid"),
  branch: nullable(text("branch")),
  createdAt: time("created_at")
})

/** Stores in PostgreSQL which applications are previews, and of which pull requests. */
export const layerPreviews = Layer.effect(
  PreviewStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(previews.all)
    const number = (id: number) => PgTypes.int8(BigInt(id))
    return {
      put: (row) =>
        Effect.map(
          orDieSql(
            sql`
            INSERT INTO preview (application_uuid, pull_request_id, preview_uuid, branch, created_at)
            SELECT application.uuid, ${number(row.pullRequestId)}, other.uuid, ${row.branch}, ${moment(row.createdAt)}
            FROM application, application other
            WHERE application.uuid = ${lookup(row.applicationUuid)} AND other.uuid = ${lookup(row.previewUuid)}
            ON CONFLICT (application_uuid, pull_request_id) DO UPDATE SET branch = excluded.branch
            RETURNING preview_uuid`.values
          ),
          (rows) => rows.length > 0
        ),
      find: (application, pullRequestId) =>
        Effect.map(
          orDieSql(
            sql`
            SELECT ${all} FROM preview
            WHERE application_uuid = ${lookup(application)} AND pull_request_id = ${number(pullRequestId)}`.values
          ),
          (rows) => previews.read(rows)[0]
        ),
      among: (applications) =>
        applications.length === 0
          ? Effect.succeed([])
          : Effect.map(
              orDieSql(
                sql`SELECT ${all} FROM preview WHERE ${sql.in("preview_uuid", applications.map(lookup))}`.values
              ),
              previews.read
            ),
      ofApplication: (application) =>
        Effect.map(
          orDieSql(
            sql`
            SELECT ${all} FROM preview WHERE application_uuid = ${lookup(application)} ORDER BY pull_request_id`.values
          ),
          previews.read
        )
    }
  })
)
