import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type Column, expressionsOf, rowReader } from "../../collection/columns.ts"

/** The SQL that selects the columns of one row type, and the function that reads a row from them. */
export interface Reader<Row> {
  readonly width: number
  /** Returns the SQL expressions of the columns, for a table alias, in the order that `read` expects. */
  readonly of: (alias: string) => string
  /**
   * Reads a row from column values, starting at a position. Returns undefined if an outer join found no row, which
   * means that the first column is null.
   */
  readonly read: (values: ReadonlyArray<unknown>, place?: number) => Row | undefined
}

/** Makes a reader from a column for each field of a row. The first column must not be nullable. */
export const reader = <Row>(fields: { readonly [Name in keyof Row]-?: Column<Row[Name]> }): Reader<Row> => {
  // BOUNDARY: `fields` ties every column to its fact; walking it by name forgets that.
  const columns = Object.entries(fields).map(([name, column]) => ({
    name,
    path: [name],
    column: column as Column<unknown>
  }))
  const readRow = rowReader(columns)
  return {
    width: columns.length,
    of: expressionsOf(columns),
    read: (values, place = 0) => (values[place] === null ? undefined : (readRow(values, place) as Row))
  }
}

/** Returns a function that converts the records of a query result to rows. */
export const readAll =
  <Row>({ read }: Reader<Row>) =>
  (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<Row> =>
    rows.flatMap((values) => read(values) ?? [])

/** The columns that a statement writes for a row type, and their parameters. */
export type Writer<Row> = (sql: SqlClient) => {
  /** The names of the columns. */
  readonly columns: Fragment
  /** Returns a parameter for each column, in their order. */
  readonly parameters: (row: Row) => Fragment
}

/**
 * Makes a writer from a column for each field. `keys` adds columns for search, each with the function that computes its
 * text.
 */
export const writer = <Row extends object>(
  fields: { readonly [Name in keyof Row]-?: Column<Row[Name]> },
  keys: Readonly<Record<string, (row: Row) => string>> = {}
): Writer<Row> => {
  // BOUNDARY: `fields` ties every column to its fact; walking it by name forgets that.
  const columns = Object.entries(fields) as Array<[string, Column<unknown>]>
  const names = [...columns.map(([, { name }]) => name), ...Object.keys(keys)].join(", ")
  return (sql) => ({
    columns: sql.literal(names),
    parameters: (row) => {
      const facts = columns.map(([name, { write }]) => write?.(row[name as keyof Row]))
      return sql.csv([...facts, ...Object.values(keys).map((keyOf) => keyOf(row))].map((value) => sql`${value}`))
    }
  })
}
