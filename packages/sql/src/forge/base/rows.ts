import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type Column, expressionsOf, rowReader } from "../../collection/columns.ts"

/** Selects and reads the rows of one type in a joined table; returns undefined if an outer join has no such row. */
export interface Reader<Row> {
  readonly width: number
  /** The expressions of the columns, in the order in which `read` takes them. */
  readonly of: (alias: string) => string
  /** Reads a row from the values at a position; undefined if its first column, which is never null, is null. */
  readonly read: (values: ReadonlyArray<unknown>, place?: number) => Row | undefined
}

/** Makes a reader from a column for each field of a row; the first column is never null. */
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

/** Reads every row of a result with one row per record. */
export const readAll =
  <Row>({ read }: Reader<Row>) =>
  (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<Row> =>
    rows.flatMap((values) => read(values) ?? [])

/** Writes some columns of rows of one type. */
export type Writer<Row> = (sql: SqlClient) => {
  /** The names of the columns. */
  readonly columns: Fragment
  /** Returns a parameter for each column, in their order. */
  readonly parameters: (row: Row) => Fragment
}

/** Makes a writer from a column for each field, and a function for the text of each searchable column. */
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
