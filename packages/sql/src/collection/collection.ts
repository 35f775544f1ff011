import { type Collection, Duplicate, type Entity, InUse, type New, type PageRows, type Window } from "@slipway/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { orDieSql } from "../SqlErrors.ts"
import { blockSize } from "./counts.ts"
import { kindOf, type Table, type Written } from "./table.ts"

/**
 * Returns the parameter for a text to look up. PostgreSQL cannot store NUL bytes or invalid Unicode; for such a text,
 * the parameter is null, which equals no row.
 */
export const lookup = (sought: string): string | null =>
  sought.includes("\0") || !sought.isWellFormed() ? null : sought

/** A collection of rows in a table, with helpers for the other queries of its store. */
export interface SqlCollection<Row extends Entity> extends Collection<Row> {
  /** Returns the rows of a `SELECT` from the table; `rest` follows the `FROM` clause. */
  readonly select: (rest: Fragment) => Effect.Effect<ReadonlyArray<Row>>
  /** Lists rows like `list`. `condition` is the same for all rows; if it is false, no row is listed. */
  readonly listIf: (condition: Fragment, window: Window) => Effect.Effect<ReadonlyArray<Row>>
  /** Lists rows like `listIf`, with the number of all rows; undefined if no row is listed. */
  readonly pageIf: (condition: Fragment, window: Window) => Effect.Effect<PageRows<Row>>
  readonly table: Pick<Table<Row>, "listed" | "name">
}

/** Makes a collection of one resource type in a table. */
export const makeCollection = <Row extends Entity>(sql: SqlClient, table: Table<Row>): SqlCollection<Row> => {
  // Names of tables and columns come from the program, never from a request.
  const name = sql.literal(table.name)
  const all = sql.literal(table.expressions)
  const columnsOf = ({ columns }: Written<New<Row>>) => sql.literal(columns)
  const valuesOf = ({ parameters }: Written<New<Row>>, row: New<Row>) =>
    sql.csv(parameters(row).map((value) => sql`${value}`))
  const rowsOf = (rows: ReadonlyArray<ReadonlyArray<unknown>>) => rows.map(table.read)

  const select = (rest: Fragment) => orDieSql(Effect.map(sql`SELECT ${all} FROM ${name} ${rest}`.values, rowsOf))
  const find = (uuid: string) => Effect.map(select(sql`WHERE uuid = ${lookup(uuid)}`), (rows) => rows[0])

  // The start of a page is found by index only: skipped rows are not read.
  const listed = sql.literal(table.listed)
  const from = ({ after, skip = 0 }: Window) => {
    if (skip === 0) return sql`id > ${after ?? 0}`
    if (after !== undefined || skip < blockSize) {
      return sql`id >= (SELECT id FROM ${name} WHERE ${listed} AND id > ${after ?? 0} ORDER BY id LIMIT 1 OFFSET (SELECT ${skip}::bigint))`
    }
    return sql`id >= (
      WITH blocks AS (
        SELECT block, sum(amount) AS amount, sum(sum(amount)) OVER (ORDER BY block) AS reached
        FROM row_count WHERE kind = ${table.name} GROUP BY block
      ), first AS (
        SELECT block * ${blockSize} AS id, ${skip} - (reached - amount) AS behind
        FROM blocks WHERE reached > ${skip} ORDER BY block LIMIT 1
      )
      SELECT id FROM ${name} WHERE ${listed} AND id >= (SELECT id FROM first)
      ORDER BY id LIMIT 1 OFFSET (SELECT behind::bigint FROM first)
    )`
  }

  const duplicate = (fact: string) => new Duplicate({ of: `${table.kind}.${fact}` })
  /** Runs a statement in a savepoint, because a failed statement would abort the whole transaction. */
  const refusable = <A, E>(effect: Effect.Effect<A, E>) => sql.withTransaction(effect)

  const restIf = (condition: Fragment, window: Window) =>
    sql`WHERE ${condition} AND ${listed} AND ${from(window)} ORDER BY id LIMIT (SELECT ${window.limit}::bigint)`
  const listIf = (condition: Fragment, window: Window) => select(restIf(condition, window))
  const pageIf = (condition: Fragment, window: Window) =>
    orDieSql(
      Effect.map(
        sql`
          SELECT ${all}, (SELECT coalesce(sum(amount), 0)::float8 FROM row_count WHERE kind = ${table.name})
          FROM ${name} ${restIf(condition, window)}`.values,
        (found) => ({ rows: rowsOf(found), total: found[0]?.at(-1) as number | undefined })
      )
    )

  return {
    select,
    listIf,
    pageIf,
    table: { listed: table.listed, name: table.name },
    // A violated constraint would abort the transaction, even if the caller handles the duplicate.
    insert: (row) =>
      orDieSql(
        sql`
          INSERT INTO ${name} (${columnsOf(table.inserted)}) VALUES (${valuesOf(table.inserted, row)})
          ON CONFLICT DO NOTHING RETURNING ${all}`.values
      ).pipe(
        Effect.flatMap(([inserted]) =>
          inserted === undefined
            ? Effect.flatMap(find(row.uuid), (same) =>
                Effect.fail(duplicate(same === undefined ? (table.unique ?? "uuid") : "uuid"))
              )
            : Effect.succeed(table.read(inserted))
        )
      ),
    find,
    // After waiting for another transaction, a locking statement may mix current rows with its older snapshot.
    lock: (uuid) =>
      Effect.flatMap(
        orDieSql(sql`SELECT id FROM ${name} WHERE uuid = ${lookup(uuid)} FOR NO KEY UPDATE`.values),
        (found) => (found.length === 0 ? Effect.undefined : find(uuid))
      ),
    // With a limit known only at execution PostgreSQL keeps its plan; for a number it plans again each time.
    list: (window) =>
      select(sql`WHERE ${listed} AND ${from(window)} ORDER BY id LIMIT (SELECT ${window.limit}::bigint)`),
    count: orDieSql(
      Effect.map(
        sql`SELECT coalesce(sum(amount), 0)::float8 FROM row_count WHERE kind = ${table.name}`.values,
        ([counted]) => Number(counted?.[0])
      )
    ),
    replace: (row) => {
      const replaced = Effect.map(
        sql`
          UPDATE ${name} SET (${columnsOf(table.replaced)}) = ROW (${valuesOf(table.replaced, row)})
          WHERE uuid = ${lookup(row.uuid)} RETURNING id`.values,
        (rows) => rows.length > 0
      )
      const { unique } = table
      if (unique === undefined) return orDieSql(replaced)
      return orDieSql(
        Effect.catchIf(
          refusable(replaced),
          (error) => error.reason._tag === "UniqueViolation",
          () => Effect.fail(duplicate(unique))
        )
      )
    },
    remove: (uuid) => {
      const removed = Effect.map(
        sql`DELETE FROM ${name} WHERE uuid = ${lookup(uuid)} RETURNING id`.values,
        (rows) => rows.length > 0
      )
      if (!table.isNeeded) return orDieSql(removed)
      return orDieSql(
        Effect.catch(refusable(removed), (error) => {
          const user = userOf(error)
          return Effect.fail(user === undefined ? error : new InUse({ by: kindOf(user) }))
        })
      )
    }
  }
}

/**
 * Returns the table with the foreign key that prevented the removal of a row. Returns undefined for other errors.
 * PostgreSQL 18 has a separate error code for `RESTRICT`.
 */
const userOf = (error: unknown): string | undefined => {
  if (!isSqlError(error) || error.reason._tag !== "ConstraintError") return undefined
  const cause = error.reason.cause as { readonly code?: string; readonly table?: string }
  return cause.code === "23503" || cause.code === "23001" ? cause.table : undefined
}
