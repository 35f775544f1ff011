import { PgTypes } from "@effect/sql-pg"
import { type Database, DatabaseStore, type DatabaseWork } from "@slipway/domain/deploy/databases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookup, makeCollection } from "../../collection/collection.ts"
import { boolean, integer, json, moment, nullable, text, time } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { deployTable, placement } from "../base/tables.ts"
import { ofPlacement, visibleCollection } from "../base/visible.ts"

const databases = deployTable<Database>("database", {
  kind: text("kind"),
  name: text("name"),
  description: text("description"),
  image: text("image"),
  placement,
  settings: json("settings"),
  secrets: json("secrets"),
  limits: json("limits"),
  health: json("health"),
  ssl: json("ssl"),
  certificateExpiresAt: nullable(time("certificate_expires_at")),
  isPublic: boolean("is_public"),
  publicPort: nullable(integer("public_port")),
  declaredBy: nullable(json("declared_by")),
  action: nullable(text("action")),
  state: text("state"),
  reason: nullable(text("reason")),
  runUuid: nullable(text("run_uuid")),
  servingUuid: nullable(text("serving_uuid")),
  unhealthy: nullable(text("unhealthy")),
  claimedBy: nullable(text("claimed_by")),
  leaseUntil: nullable(time("lease_until"))
})

/**
 * The key of the advisory lock for claiming databases. Only one process claims at a time, so that limits hold across
 * processes.
 */
const takeLock = 5_310_002

/** Stores databases in PostgreSQL. */
export const layerDatabases = Layer.effect(
  DatabaseStore,
  Effect.map(SqlClient, (sql) => {
    const collection = visibleCollection(sql, makeCollection(sql, databases), ofPlacement("database"))
    const isOpen = sql.literal("state IN ('queued', 'working')")
    const isAny = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)
    const isMine = ({ run, uuid, worker }: DatabaseWork) =>
      sql`uuid = ${uuid} AND claimed_by = ${worker} AND run_uuid = ${run}`
    return {
      ...collection,
      publishing: (server, port) =>
        Effect.map(
          collection.select(sql`
            WHERE server_uuid = ${lookup(server)} AND is_public AND public_port = ${PgTypes.int8(BigInt(port))}
            ORDER BY id LIMIT 1`),
          ([found]) => found
        ),
      placedOn: (server) => collection.select(sql`WHERE server_uuid = ${lookup(server)} ORDER BY id`),
      servingOn: (server) =>
        collection.select(sql`WHERE server_uuid = ${lookup(server)} AND serving_uuid IS NOT NULL ORDER BY id`),
      declaredIn: ({ forgeAppUuid, name, owner }) =>
        collection.select(
          sql`WHERE declared_by -> 'forgeLink' = ${PgTypes.jsonb({ forgeAppUuid, name, owner })} ORDER BY id`
        ),
      expiringBefore: (at) =>
        collection.select(sql`
          WHERE certificate_expires_at < ${moment(at)} AND serving_uuid IS NOT NULL ORDER BY id LIMIT 100`),
      claim: ({ at, until, worker }) => {
        // Most polls find nothing, and need neither a transaction nor its lock to say so.
        const isDue = sql`
          SELECT FROM database WHERE ${isOpen} AND (lease_until IS NULL OR lease_until <= ${moment(at)}) LIMIT 1`
        const take = orDieSql(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT pg_advisory_xact_lock(${PgTypes.int8(BigInt(takeLock))})`
              const taken = yield* sql<{ readonly uuid: string }>`
                UPDATE database SET claimed_by = ${worker}, lease_until = ${moment(until)}, state = 'working'
                WHERE id = (
                  SELECT due.id FROM database due
                  WHERE due.state IN ('queued', 'working')
                    AND (due.lease_until IS NULL OR due.lease_until <= ${moment(at)})
                    AND (due.state = 'working' OR due.action = 'stop' OR (
                      SELECT count(*) FROM database other WHERE other.server_uuid = due.server_uuid
                        AND other.state = 'working' AND other.action <> 'stop')
                      < coalesce((SELECT concurrent_builds FROM server WHERE uuid = due.server_uuid), 1))
                  ORDER BY due.id LIMIT 1 FOR UPDATE SKIP LOCKED)
                RETURNING uuid`
              return taken[0]?.uuid
            })
          )
        ).pipe(Effect.flatMap((uuid) => (uuid === undefined ? Effect.undefined : collection.find(uuid as never))))
        return Effect.flatMap(orDieSql(isDue.values), (rows) => (rows.length === 0 ? Effect.undefined : take))
      },
      renew: (work, until) =>
        orDieSql(
          sql`UPDATE database SET lease_until = ${moment(until)} WHERE ${isMine(work)} RETURNING id`.values
        ).pipe(isAny),
      save: (work, { certificateExpiresAt, reason, servingUuid, state, updatedAt }) =>
        orDieSql(
          sql`
          UPDATE database SET state = ${state}, reason = ${reason}, serving_uuid = ${servingUuid},
            certificate_expires_at = ${certificateExpiresAt === null ? null : moment(certificateExpiresAt)},
            updated_at = ${moment(updatedAt)}, unhealthy = ${state === "done" ? null : sql`unhealthy`}
          WHERE ${isMine(work)} RETURNING id`.values
        ).pipe(isAny),
      setUnhealthy: (uuid, run, because) =>
        Effect.asVoid(
          orDieSql(sql`UPDATE database SET unhealthy = ${because} WHERE uuid = ${uuid} AND serving_uuid = ${run}`)
        ),
      giveBack: (uuid, worker) =>
        Effect.asVoid(
          orDieSql(sql`
            UPDATE database SET claimed_by = NULL, lease_until = NULL WHERE uuid = ${uuid} AND claimed_by = ${worker}`)
        ),
      endLeases: Effect.asVoid(orDieSql(sql`UPDATE database SET lease_until = NULL WHERE lease_until IS NOT NULL`))
    }
  })
)
