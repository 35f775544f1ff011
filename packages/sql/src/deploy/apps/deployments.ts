import { PgTypes } from "@effect/sql-pg"
import {
  approvalExpired,
  type Deployment,
  type DeploymentSelection,
  type DeploymentStatus,
  DeploymentStore
} from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import type { Visible } from "@slipway/domain/deploy/identity"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { boolean, integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { cleanedSince, forget, type OldRowCriteria } from "../base/oldRows.ts"
import { deployTable } from "../base/tables.ts"
import { ofApplication, ofCountedApplication, seenBy, visibleCollection } from "../base/visible.ts"

const deployments = deployTable<Deployment>("deployment", {
  applicationUuid: text("application_uuid"),
  applicationName: text("application_name"),
  serverUuid: text("server_uuid"),
  serverName: text("server_name"),
  destinationUuid: text("destination_uuid"),
  commit: text("commit_sha"),
  commitMessage: nullable(text("commit_message")),
  pullRequestId: integer("pull_request_id"),
  trigger: text("trigger"),
  action: text("action"),
  releaseUuid: nullable(text("release_uuid")),
  force: boolean("force"),
  status: text("status"),
  reason: nullable(text("reason")),
  imageId: nullable(text("image_id")),
  cancelRequested: boolean("cancel_requested"),
  requestedBy: nullable(text("requested_by")),
  pusher: nullable(json("pusher")),
  approvalUntil: nullable(time("approval_until")),
  startsParts: json("starts_parts"),
  imageTag: nullable(text("image_tag")),
  startedAt: nullable(time("started_at")),
  finishedAt: nullable(time("finished_at")),
  claimedBy: nullable(text("claimed_by")),
  leaseUntil: nullable(time("lease_until"))
})

/**
 * The key of the advisory lock for claiming work. Only one process claims at a time, so that limits hold across
 * processes.
 */
export const workLock = 5_310_001

/** Returns the conditions for old deployments that can be removed, and the statement that removes their log lines. */
const oldDeployments = (sql: SqlClient): OldRowCriteria => {
  const endedAt = sql`coalesce(old.finished_at, old.updated_at)`
  const newer = (and: Fragment) => sql`EXISTS (
    SELECT FROM deployment newer WHERE newer.application_uuid = old.application_uuid AND newer.id > old.id ${and})`
  return {
    table: "deployment",
    hasEnded: sql`old.status IN ('finished', 'failed', 'cancelled')`,
    endedAt,
    isForgettable: sql`
      (old.started_at IS NULL OR ${cleanedSince(sql, endedAt)}) AND (
        NOT EXISTS (SELECT FROM application WHERE application.uuid = old.application_uuid)
        OR ${newer(sql``)}
        AND NOT EXISTS (
          SELECT FROM serving WHERE serving.application_uuid = old.application_uuid
          AND serving.deployment_uuid = old.uuid)
        AND NOT EXISTS (SELECT FROM release WHERE release.deployment_uuid = old.uuid)
        AND NOT (old.action = 'rollback' AND EXISTS (SELECT FROM release WHERE release.uuid = old.release_uuid))
        -- What a restart ran is known by what came to something before it.
        AND (old.status <> 'finished' OR ${newer(sql`
          AND newer.status = 'finished' AND (newer.action <> 'restart' OR old.action = 'restart')`)}))`,
    along: sql`, lines AS (DELETE FROM deployment_line WHERE deployment_uuid IN (SELECT uuid FROM gone))`
  }
}

/** Stores deployments in PostgreSQL. */
export const layerDeployments = Layer.effect(
  DeploymentStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, deployments), ofCountedApplication("deployment"))
    const isOpen = sql.literal("status NOT IN ('finished', 'failed', 'cancelled')")
    const isIn = (selection: DeploymentSelection, visible: Visible) =>
      sql`${selection === "open" ? isOpen : sql.literal("status = 'failed'")}
        AND ${seenBy(sql, ofApplication("deployment"), visible)}`
    return {
      ...collection,
      selected: (selection, visible, { after = 0, limit, skip = 0 }) =>
        collection.select(sql`
          WHERE ${isIn(selection, visible)} AND ${after === 0 ? sql`true` : sql`deployment.id < ${after}`}
          ORDER BY deployment.id DESC LIMIT ${limit} OFFSET ${skip}`),
      countSelected: (selection, visible) =>
        orDieSql(
          Effect.map(
            sql`SELECT count(*)::float8 FROM deployment WHERE ${isIn(selection, visible)}`.values,
            ([counted]) => Number(counted?.[0])
          )
        ),
      ofApplication: (application, { after, limit, skip = 0 }) =>
        // Sorted by the application too, although it has one value: only its own index has that order.
        collection.select(sql`
          WHERE application_uuid BETWEEN ${lookup(application)} AND ${lookup(application)}
            AND ${after === undefined ? sql`true` : sql`id < ${after}`}
          ORDER BY application_uuid DESC, id DESC LIMIT ${limit} OFFSET ${skip}`),
      countOf: (application) =>
        orDieSql(
          Effect.map(
            sql`
              SELECT coalesce(sum(amount), 0)::float8 FROM scope_count
              WHERE kind = 'deployment' AND scope = ${lookup(application)}`.values,
            ([counted]) => Number(counted?.[0])
          )
        ),
      cancelAll: (application, at) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE deployment SET
              cancel_requested = cancel_requested OR status <> 'queued', updated_at = ${moment(at)},
              finished_at = CASE WHEN status = 'queued' THEN ${moment(at)} ELSE finished_at END,
              reason = CASE WHEN status = 'queued' THEN 'the application was deleted' ELSE reason END,
              status = CASE WHEN status = 'queued' THEN 'cancelled' ELSE status END
            WHERE application_uuid = ${application} AND ${isOpen}`)
        ),
      claim: ({ at, until, worker }) => {
        // Most polls find nothing, and need neither a transaction nor its lock to say so.
        const isDue = sql`
          SELECT FROM deployment WHERE ${isOpen} AND (lease_until IS NULL OR lease_until <= ${moment(at)})
            AND (status <> 'queued' OR approval_until IS NULL OR approval_until <= ${moment(at)}) LIMIT 1`
        const take = orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT pg_advisory_xact_lock(${PgTypes.int8(BigInt(workLock))})`
              yield* sql`
                UPDATE deployment SET status = 'cancelled', reason = ${approvalExpired}, finished_at = ${moment(at)}, updated_at = ${moment(at)}
                WHERE ${isOpen} AND status = 'queued' AND approval_until <= ${moment(at)}`
              yield* sql`
                UPDATE deployment SET status = 'cancelled', reason = 'superseded', finished_at = ${moment(at)}, updated_at = ${moment(at)}
                WHERE status = 'queued' AND EXISTS (
                  SELECT FROM deployment newer WHERE newer.application_uuid = deployment.application_uuid
                  AND newer.status = 'queued' AND newer.approval_until IS NULL AND newer.id > deployment.id)`
              const taken = yield* sql<{ readonly uuid: string }>`
                UPDATE deployment SET claimed_by = ${worker}, lease_until = ${moment(until)},
                  status = CASE WHEN status = 'queued' THEN 'preparing' ELSE status END,
                  started_at = coalesce(started_at, ${moment(at)}), updated_at = ${moment(at)}
                WHERE id = (
                  SELECT due.id FROM deployment due
                  WHERE ${isOpen}
                    AND (due.lease_until IS NULL OR due.lease_until <= ${moment(at)})
                    AND (due.status <> 'queued' OR (
                      due.approval_until IS NULL AND NOT EXISTS (
                        SELECT FROM deployment other WHERE other.application_uuid = due.application_uuid
                        AND other.status IN ('preparing', 'building', 'starting', 'checking', 'switching'))
                      AND (SELECT count(*) FROM deployment other WHERE other.server_uuid = due.server_uuid
                        AND other.status IN ('preparing', 'building', 'starting', 'checking', 'switching'))
                        < coalesce((SELECT concurrent_builds FROM server WHERE uuid = due.server_uuid), 1)))
                  ORDER BY due.id LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING uuid`
              return taken[0]?.uuid
            })
          )
        ).pipe(Effect.flatMap((uuid) => (uuid === undefined ? Effect.undefined : collection.find(uuid as never))))
        return Effect.flatMap(orDieSql(isDue.values), (rows) => (rows.length === 0 ? Effect.undefined : take))
      },
      awaitingApproval: (application) =>
        Effect.map(
          collection.select(sql`
            WHERE application_uuid = ${lookup(application)} AND status = 'queued' AND approval_until IS NOT NULL
            ORDER BY id DESC LIMIT 1`),
          ([row]) => row
        ),
      expiredApprovals: (at) =>
        collection.select(sql`
          WHERE status = 'queued' AND approval_until IS NOT NULL AND approval_until <= ${moment(at)} ORDER BY id`),
      renew: (uuid, { until, worker }) =>
        orDieSql(
          sql`
          UPDATE deployment SET lease_until = ${moment(until)}
          WHERE uuid = ${uuid} AND claimed_by = ${worker} RETURNING id`.values
        ).pipe(Effect.flatMap((rows) => (rows.length === 0 ? Effect.undefined : collection.find(uuid)))),
      giveBack: (uuid, worker) =>
        Effect.asVoid(
          orDieSql(sql`UPDATE deployment SET lease_until = NULL WHERE uuid = ${uuid} AND claimed_by = ${worker}`)
        ),
      endLeases: Effect.asVoid(orDieSql(sql`UPDATE deployment SET lease_until = NULL WHERE ${isOpen}`)),
      save: (row, worker) =>
        Effect.map(
          orDieSql(
            sql`
            UPDATE deployment SET status = ${row.status}, reason = ${row.reason}, image_id = ${row.imageId},
              commit_sha = ${row.commit}, commit_message = ${row.commitMessage},
              finished_at = ${moment(row.finishedAt)}, updated_at = ${moment(row.updatedAt)}
            WHERE uuid = ${row.uuid} AND claimed_by = ${worker} RETURNING id`.values
          ),
          (rows) => rows.length > 0
        ),
      hold: (uuid, reason, { at, until, worker }) =>
        Effect.map(
          orDieSql(
            sql`
            UPDATE deployment SET status = 'queued', reason = ${reason}, claimed_by = NULL,
              lease_until = ${moment(until)}, started_at = NULL, updated_at = ${moment(at)}
            WHERE uuid = ${uuid} AND claimed_by = ${worker} AND status IN ('preparing', 'building')
              AND NOT cancel_requested RETURNING id`.values
          ),
          (rows) => rows.length > 0
        ),
      waitingFor: (server, besides) =>
        Effect.map(
          orDieSql(
            // Open deployments have an index.
            sql`
            SELECT count(DISTINCT application_uuid)::float8 FROM deployment
            WHERE ${isOpen} AND status = 'queued' AND approval_until IS NULL AND server_uuid = ${lookup(server)}
            AND application_uuid NOT IN (SELECT jsonb_array_elements_text(${PgTypes.jsonb(besides)}))`.values
          ),
          ([counted]) => Number(counted?.[0])
        ),
      activeOn: (servers) =>
        servers.length === 0
          ? Effect.succeed([])
          : collection.select(sql`
              WHERE ${sql.in("server_uuid", servers)}
              AND status IN ('preparing', 'building', 'starting', 'checking', 'switching')
              ORDER BY id`),
      statusesOf: (deployments) =>
        Effect.map(
          orDieSql(
            sql<{ readonly uuid: DeploymentUuid; readonly status: DeploymentStatus }>`
            SELECT uuid, status FROM deployment WHERE uuid = ANY(${deployments.map(lookup)}::text[])`
          ),
          (rows) => new Map(rows.map(({ status, uuid }) => [uuid, status]))
        ),
      cameToNothing: (server, since) =>
        Effect.map(
          orDieSql(
            sql`
            SELECT FROM deployment WHERE server_uuid = ${lookup(server)} AND status IN ('failed', 'cancelled')
            AND started_at IS NOT NULL AND finished_at >= ${moment(since)} LIMIT 1`.values
          ),
          (rows) => rows.length > 0
        ),
      requestCancel: (uuid, at) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE deployment SET
              cancel_requested = true, updated_at = ${moment(at)},
              finished_at = CASE WHEN status = 'queued' THEN ${moment(at)} ELSE finished_at END,
              reason = CASE WHEN status = 'queued' THEN 'cancelled' ELSE reason END,
              status = CASE WHEN status = 'queued' THEN 'cancelled' ELSE status END
            WHERE uuid = ${lookup(uuid)} AND status NOT IN ('finished', 'failed', 'cancelled')`)
        ),
      forget: (rows) => forget(sql, oldDeployments(sql), rows)
    }
  })
)
