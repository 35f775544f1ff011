import type { Values } from "@slipway/domain"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { OwnedSqlTable } from "./table.ts"

/**
 * Returns the statement that inserts rows and returns them in the given order.
 *
 * The statement first locks the row with the last number of the scope, so that numbers have no gaps. Its internal names
 * start with `_`, as no field name does.
 */
export const insertStatement = (
  sql: SqlClient,
  table: OwnedSqlTable,
  rows: ReadonlyArray<Values>,
  onConflict: Fragment
) => {
  const { kind } = table
  const name = sql.literal(table.name)
  const all = sql.literal(table.expressions(table.name))
  const written = table.written.filter(({ field }) => field !== kind.numbered)
  const columns = sql.literal(written.map(({ column }) => column).join(", "))
  const values = sql.csv(
    rows.map(
      (row, at) =>
        sql`(${sql.csv([
          ...written.map(({ field, type, write }) => sql`${write(row[field])}::${sql.literal(type)}`),
          sql`${sql.literal(String(at))}`
        ])})`
    )
  )
  const givenRows = sql`given (${columns}, _place) AS (VALUES ${values})`
  const inserted = sql`ORDER BY _place ${onConflict} RETURNING *`
  const read = sql`SELECT ${all} FROM inserted AS ${name} ORDER BY id`
  const [scope] = kind.within
  if (kind.numbered === undefined || scope === undefined) {
    return sql`
      WITH ${givenRows}, inserted AS (INSERT INTO ${name} (${columns}) SELECT ${columns} FROM given ${inserted}) ${read}`
      .values
  }
  const within = sql.literal(table.column(scope))
  const numbers = sql.literal(table.numbers)
  return sql`
    WITH ${givenRows},
    amounts AS (SELECT ${within} AS _scope, count(*) AS _amount FROM given GROUP BY 1),
    numbers AS (
      INSERT INTO ${numbers} (${within}, last) SELECT _scope, _amount FROM amounts ORDER BY _scope
      ON CONFLICT (${within}) DO UPDATE SET last = ${numbers}.last + excluded.last
      RETURNING ${within} AS _scope, last AS _last
    ),
    inserted AS (
      INSERT INTO ${name} (${columns}, ${sql.literal(table.column(kind.numbered))})
      SELECT ${columns}, _last - _amount + row_number() OVER (PARTITION BY ${within} ORDER BY _place)
      FROM given JOIN numbers ON numbers._scope = ${within} JOIN amounts ON amounts._scope = ${within}
      ${inserted}
    ) ${read}`.values
}
