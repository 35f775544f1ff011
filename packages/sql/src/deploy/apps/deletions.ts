import { PgTypes } from "@effect/sql-pg"
import { type Deletion, DeletionStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { boolean, integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { cleanedSince, forget, type OldRowCriteria } from "../base/oldRows.ts"
import { deployTable } from "../base/tables.ts"
import { ofServer, visibleCollection } from "../base/visible.ts"

const deletions = deployTable<Deletion>("deletion", {
  applicationUuid: text("application_uuid"),
  applicationName: text("application_name"),
  serverUuid: text("server_uuid"),
  destinationUuid: text("destination_uuid"),
  deleteConfigurations: boolean("delete_configurations"),
  deleteVolumes: boolean("delete_volumes"),
  dockerCleanup: boolean("docker_cleanup"),
  deleteConnectedNetworks: boolean("delete_connected_networks"),
  forgeLink: nullable(json("forge_link")),
  status: text("status"),
  removed: json("removed"),
  left: json("left_behind"),
  reason: nullable(text("reason")),
  attempts: integer("attempts"),
  claimedBy: nullable(text("claimed_by")),
  leaseUntil: nullable(time("lease_until"))
})

/**
 * Returns the conditions for old deletions that can be removed: the application no longer exists, and the server was
 * cleaned up after the deletion.
 */
const oldDeletions = (sql: SqlClient): OldRowCriteria => ({
  table: "deletion",
  hasEnded: sql`old.status = 'finished'`,
  endedAt: sql`old.updated_at`,
  isForgettable: sql`
    NOT EXISTS (SELECT FROM application WHERE application.uuid = old.application_uuid)
    AND NOT EXISTS (SELECT FROM deployment WHERE deployment.application_uuid = old.application_uuid)
    AND ${cleanedSince(sql, sql`old.updated_at`)}`,
  along: sql``
})

/** Stores in PostgreSQL the pending and finished deletions of applications from servers. */
export const layerDeletions = Layer.effect(
  DeletionStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, deletions), ofServer("deletion"))
    return {
      ...collection,
      ofApplication: (application) =>
        collection.select(sql`WHERE application_uuid = ${lookup(application)} ORDER BY id`),
      claim: ({ at, until, worker }) =>
        orDieSql(sql<{ readonly uuid: string }>`
          UPDATE deletion SET claimed_by = ${worker}, lease_until = ${moment(until)}, status = 'running', attempts = attempts + 1
          WHERE id = (
            SELECT due.id FROM deletion due
            WHERE due.status <> 'finished' AND (due.lease_until IS NULL OR due.lease_until <= ${moment(at)})
              AND NOT EXISTS (
                SELECT FROM serving WHERE serving.application_uuid = due.application_uuid
                AND serving.server_uuid = due.server_uuid)
              AND NOT EXISTS (
                SELECT FROM deletion other WHERE other.application_uuid = due.application_uuid
                AND other.status = 'running' AND other.lease_until > ${moment(at)})
              AND NOT EXISTS (
                SELECT FROM deployment WHERE deployment.application_uuid = due.application_uuid
                AND deployment.status NOT IN ('finished', 'failed', 'cancelled'))
            ORDER BY due.attempts, due.id LIMIT 1 FOR UPDATE SKIP LOCKED)
          RETURNING uuid`).pipe(
          Effect.flatMap(([taken]) => (taken === undefined ? Effect.undefined : collection.find(taken.uuid as never)))
        ),
      giveBack: (uuid, worker) =>
        Effect.asVoid(
          orDieSql(sql`UPDATE deletion SET lease_until = NULL WHERE uuid = ${uuid} AND claimed_by = ${worker}`)
        ),
      endLeases: Effect.asVoid(orDieSql(sql`UPDATE deletion SET lease_until = NULL WHERE status <> 'finished'`)),
      save: (row, worker) =>
        Effect.map(
          orDieSql(
            sql`
            UPDATE deletion SET status = ${row.status}, removed = ${PgTypes.jsonb(row.removed)},
              left_behind = ${PgTypes.jsonb(row.left)}, reason = ${row.reason},
              lease_until = ${moment(row.leaseUntil)}, updated_at = ${moment(row.updatedAt)}
            WHERE uuid = ${row.uuid} AND claimed_by = ${worker} RETURNING id`.values
          ),
          (rows) => rows.length > 0
        ),
      forget: (rows) => forget(sql, oldDeletions(sql), rows)
    }
  })
)
