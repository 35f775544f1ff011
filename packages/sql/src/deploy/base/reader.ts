import type { SqlClient } from "effect/sql/SqlClient"
import type { Column } from "../../collection/columns.ts"

/**
 * Returns an SQL table expression of the given rows. Column `row` is a row as JSON, and `place` its position from 1.
 */
export const rowsOf = (sql: SqlClient, rows: ReadonlyArray<object>) =>
  sql`jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS given (row, place)`

/**
 * Makes a reader that converts query results to rows, from the declaration of a column for each field. `alias` is the
 * alias of the table.
 */
export const reader = <Row>(alias: string, fields: { readonly [Name in keyof Row]-?: Column<Row[Name]> }) => {
  // BOUNDARY: `fields` ties every column to its fact; walking it by name forgets that.
  const columns = Object.entries(fields) as Array<[string, Column<unknown>]>
  return {
    all: columns.map(([, column]) => column.expression?.(alias) ?? `${alias}.${column.name}`).join(", "),
    read: (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<Row> =>
      rows.map(
        (values) => Object.fromEntries(columns.map(([name, column], at) => [name, column.read(values[at])])) as Row
      )
  }
}
