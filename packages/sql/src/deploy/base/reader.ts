import type { SqlClient } from "effect/sql/SqlClient"
import type { Column } from "../../collection/columns.ts"

/** Returns rows as a table of one column `row`, in JSON, with their position `place`. */
export const rowsOf = (sql: SqlClient, rows: ReadonlyArray<object>) =>
  sql`jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS given (row, place)`

/** Makes a reader of rows from a column for each field. */
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
