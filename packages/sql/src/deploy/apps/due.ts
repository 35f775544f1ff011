import { PgTypes } from "@effect/sql-pg"
import type { Due, DueRun, DueStore } from "@slipway/domain/deploy/apps"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { moment } from "../../collection/columns.ts"
import { orDieSql } from "../../SqlErrors.ts"
import type { reader } from "../base/reader.ts"

/**
 * The tables of one type of scheduled jobs. The names are constants, never input of a request, because they become part
 * of the SQL.
 */
interface DueTables<Row extends Due, Run extends DueRun> {
  readonly table: string
  readonly rows: ReturnType<typeof reader<Row>>
  /**
   * The column with the resource that a job belongs to, such as a server. `mostAtOnce` is the maximum number of
   * concurrent executions per resource.
   */
  readonly owner: string
  readonly mostAtOnce: number
  /**
   * The key of the advisory lock for claiming jobs. Only one process claims at a time, so that limits hold across
   * processes.
   */
  readonly takeLock: number
  readonly runTable: string
  readonly runs: ReturnType<typeof reader<Run>>
  /** The column of an execution that references its scheduled job. */
  readonly of: string
  /** Returns the additional columns of a new execution, and their values. A comma precedes each. */
  readonly begun?: (run: Run) => { readonly columns: Fragment; readonly values: Fragment }
  /** Additional columns of an ended execution. */
  readonly ended?: (run: Run) => Fragment
  /** An additional statement after an execution has ended. */
  readonly forget?: (run: Run) => Fragment
}

/** Returns the methods that stores of scheduled jobs share. */
export const dueStore = <Row extends Due, Run extends DueRun & { readonly uuid: string }>(
  sql: SqlClient,
  tables: DueTables<Row, Run>
): DueStore<Row, Run> => {
  const { begun: more, ended, forget, mostAtOnce, rows, runs } = tables
  const [table, owner, runTable, of] = [tables.table, tables.owner, tables.runTable, tables.of].map((name) =>
    sql.literal(name)
  ) as [Fragment, Fragment, Fragment, Fragment]
  return {
    ask: (uuid) => Effect.asVoid(orDieSql(sql`UPDATE ${table} SET is_asked = true WHERE uuid = ${uuid}`)),
    claim: ({ at, until, worker }) => {
      const due = sql`
        SELECT id FROM ${table} due
        WHERE ((due.lease_until IS NULL AND due.due_at <= ${moment(at)})
          OR (due.is_asked AND due.lease_until IS NULL)
          OR due.lease_until <= ${moment(at)})
          AND (due.lease_until IS NOT NULL OR ${PgTypes.int4(mostAtOnce)} > (
            SELECT count(*) FROM ${table} other
            WHERE other.${owner} = due.${owner} AND other.lease_until IS NOT NULL))
        ORDER BY id LIMIT 1`
      const take = sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SELECT pg_advisory_xact_lock(${PgTypes.int8(BigInt(tables.takeLock))})`
          return rows.read(
            yield* sql`
              UPDATE ${table} SET claimed_by = ${worker}, lease_until = ${moment(until)}
              WHERE id = (${due} FOR UPDATE SKIP LOCKED)
              RETURNING ${sql.literal(rows.all)}`.values
          )[0]
        })
      )
      // Most polls find nothing, and need no lock to say so.
      return orDieSql(Effect.flatMap(due.values, (found) => (found.length === 0 ? Effect.undefined : take)))
    },
    begin: (uuid, dueAt, begun) => {
      const { columns = sql``, values = sql`` } = (begun !== null && more?.(begun)) || {}
      const insert =
        begun === null
          ? sql``
          : sql`, begun AS (
              INSERT INTO ${runTable} (uuid, ${of}, status, message, started_at, finished_at ${columns})
              SELECT ${begun.uuid}, uuid, ${begun.status}, ${begun.message}, ${moment(begun.startedAt)},
                ${moment(begun.finishedAt)} ${values} FROM row)`
      return Effect.asVoid(
        orDieSql(sql`
          WITH row AS (
            UPDATE ${table} SET due_at = ${moment(dueAt)}, is_asked = false WHERE uuid = ${uuid} RETURNING uuid
          ) ${insert} SELECT FROM row`)
      )
    },
    renew: (uuid, { until, worker }) =>
      Effect.map(
        orDieSql(
          sql`
          UPDATE ${table} SET lease_until = ${moment(until)}
          WHERE uuid = ${uuid} AND claimed_by = ${worker} RETURNING id`.values
        ),
        (found) => found.length > 0
      ),
    finish: (run) =>
      Effect.asVoid(
        orDieSql(sql`
          WITH done AS (
            UPDATE ${runTable} SET status = ${run.status}, message = ${run.message},
              finished_at = ${moment(run.finishedAt)} ${ended?.(run) ?? sql``} WHERE uuid = ${run.uuid})
          ${forget?.(run) ?? sql`SELECT`}`)
      ),
    giveBack: (uuid, worker) =>
      Effect.asVoid(
        orDieSql(sql`
          UPDATE ${table} SET claimed_by = NULL, lease_until = NULL
          WHERE uuid = ${uuid} AND claimed_by = ${worker}`)
      ),
    endLeases: Effect.asVoid(orDieSql(sql`UPDATE ${table} SET lease_until = 'epoch' WHERE lease_until IS NOT NULL`)),
    executions: (uuid) =>
      Effect.map(
        orDieSql(
          sql`SELECT ${sql.literal(runs.all)} FROM ${runTable} WHERE ${of} = ${lookup(uuid)} ORDER BY id DESC`.values
        ),
        runs.read
      )
  }
}
