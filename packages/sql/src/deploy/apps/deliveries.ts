import { PgTypes } from "@effect/sql-pg"
import { type Delivery, DeliveryStore, mostDeliveries } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup } from "../../collection/collection.ts"
import { integer, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { reader } from "../base/reader.ts"

const deliveries = reader<Delivery>("delivery", {
  uuid: text("uuid"),
  applicationUuid: text("application_uuid"),
  provider: text("provider"),
  bodyDigest: text("body_digest"),
  event: nullable(text("event")),
  deliveryId: nullable(text("delivery_id")),
  branch: nullable(text("branch")),
  commit: nullable(text("commit_sha")),
  pullRequestId: nullable(integer("pull_request_id")),
  pullRequestAt: nullable(time("pull_request_at")),
  author: nullable(text("author")),
  message: nullable(text("message")),
  outcome: text("outcome"),
  reason: nullable(text("reason")),
  deploymentUuid: nullable(text("deployment_uuid")),
  replays: integer("replays"),
  replayedAt: nullable(time("replayed_at")),
  receivedAt: time("received_at")
})

/** Stores webhook deliveries in PostgreSQL. */
export const layerDeliveries = Layer.effect(
  DeliveryStore,
  Effect.map(SqlClient, (sql) => {
    const all = sql.literal(deliveries.all)
    return {
      insert: (row) =>
        orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              const inserted = yield* sql`
                INSERT INTO delivery (uuid, application_uuid, provider, body_digest, event, delivery_id, branch, commit_sha,
                  pull_request_id, pull_request_at, author, message, outcome, reason, deployment_uuid, replays, replayed_at, received_at)
                SELECT ${row.uuid}, uuid, ${row.provider}, ${row.bodyDigest}, ${row.event}, ${row.deliveryId}, ${row.branch},
                  ${row.commit}, ${row.pullRequestId === null ? null : PgTypes.int8(BigInt(row.pullRequestId))},
                  ${moment(row.pullRequestAt)}, ${row.author}, ${row.message}, ${row.outcome}, ${row.reason}, ${row.deploymentUuid},
                  ${PgTypes.int8(BigInt(row.replays))}, ${moment(row.replayedAt)}, ${moment(row.receivedAt)}
                FROM application WHERE uuid = ${row.applicationUuid}
                ON CONFLICT (application_uuid, body_digest) DO NOTHING RETURNING id`.values
              yield* sql`
                DELETE FROM delivery WHERE application_uuid = ${row.applicationUuid} AND id <= (
                  SELECT id FROM delivery WHERE application_uuid = ${row.applicationUuid}
                  ORDER BY id DESC LIMIT 1 OFFSET ${mostDeliveries})`
              return inserted.length > 0
            })
          )
        ),
      find: (uuid) =>
        Effect.map(
          orDieSql(sql`SELECT ${all} FROM delivery WHERE uuid = ${lookup(uuid)}`.values),
          (rows) => deliveries.read(rows)[0]
        ),
      ofApplication: (application, { limit, skip = 0 }) =>
        Effect.map(
          orDieSql(
            sql`
            SELECT ${all} FROM delivery WHERE application_uuid = ${lookup(application)}
            ORDER BY id DESC LIMIT ${limit} OFFSET ${skip}`.values
          ),
          deliveries.read
        ),
      overSince: (application, pullRequestId) =>
        Effect.map(
          orDieSql(
            sql`
            SELECT ${all} FROM delivery
            WHERE application_uuid = ${lookup(application)} AND pull_request_id = ${PgTypes.int8(BigInt(pullRequestId))}
              AND pull_request_at IS NOT NULL AND (outcome = 'removed' OR reason = 'no_preview')
            ORDER BY pull_request_at DESC LIMIT 1`.values
          ),
          (rows) => deliveries.read(rows)[0]?.pullRequestAt ?? undefined
        ),
      replayed: ({ applicationUuid, bodyDigest }, at) =>
        Effect.map(
          orDieSql(
            sql`
            UPDATE delivery SET replays = replays + 1, replayed_at = ${moment(at)}
            WHERE application_uuid = ${applicationUuid} AND body_digest = ${bodyDigest}
            RETURNING ${all}`.values
          ),
          (rows) => deliveries.read(rows)[0]
        )
    }
  })
)
