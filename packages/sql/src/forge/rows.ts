import { type Column, expressionsOf, rowReader } from "../collection/columns.ts"

/** Reads rows of one kind, each column of them under an alias, also where a join found none. */
export interface Reader<Row> {
  readonly width: number
  /** The expressions of the columns, in the order that `read` takes them in. */
  readonly of: (alias: string) => string
  /** Reads a row from the values at a place; nothing when its first column, which is never empty, is. */
  readonly read: (values: ReadonlyArray<unknown>, place?: number) => Row | undefined
}

/** Makes a reader from a column for each fact of a row; the first is never empty. */
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

/** Reads every row of a result in which each has one. */
export const readAll =
  <Row>({ read }: Reader<Row>) =>
  (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<Row> =>
    rows.flatMap((values) => read(values) ?? [])
