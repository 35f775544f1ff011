import { type Entity, type New, nameKey } from "@slipway/domain"
import { type Column, expressionsOf, type Fields, integer, rowReader, text, time } from "./columns.ts"

/**
 * A field with unique values, ignoring case. With `within`, values are unique only among rows with the same value of
 * that field.
 */
export interface UniqueFact {
  readonly fact: string
  readonly within: string | null
}

/** A table of one resource type, with the SQL to read and write its rows. */
export interface Table<Row extends Entity> {
  readonly name: string
  /** The name of the resource type: the table's name in camel case. */
  readonly kind: string
  /** The SQL expressions of all fields, in the order that `read` expects. */
  readonly expressions: string
  /** The columns of an inserted row, and their values. */
  readonly inserted: Written<New<Row>>
  /** The columns and values that replace a row. They omit the uuid, which identifies the row. */
  readonly replaced: Written<New<Row>>
  readonly read: (values: ReadonlyArray<unknown>) => Row
  /** The unique field. */
  readonly unique: string | undefined
  /** Whether foreign keys of other tables can refuse the removal of a row. */
  readonly isNeeded: boolean
  /** The SQL condition of the rows that lists contain; `true` for all. */
  readonly listed: string
}

/** Columns, with the function that returns their parameters for a row in the same order. */
export interface Written<Row> {
  readonly columns: string
  readonly parameters: (row: Row) => ReadonlyArray<unknown>
}

interface Leaf {
  readonly path: ReadonlyArray<string>
  readonly column: Column<unknown>
}

// BOUNDARY: `Fields<Row>` ties every column to its field; walking it by name forgets that.
const leavesOf = (fields: object, path: ReadonlyArray<string> = []): ReadonlyArray<Leaf> =>
  Object.entries(fields as Fields<Record<string, unknown>>).flatMap(([name, field]) =>
    field._tag === "Group"
      ? leavesOf(field.fields as object, [...path, name])
      : [{ path: [...path, name], column: field }]
  )

const valueAt = (row: object, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], row)

/** Returns the resource type of a table: its name in camel case, such as `forgeApp` for `forge_app`. */
export const kindOf = (table: string): string =>
  table.replace(/_([a-z])/g, (_, initial: string) => initial.toUpperCase())

/**
 * Describes the table of a resource type, with one column for each field. Every table also has the columns id, uuid,
 * creation time and update time.
 *
 * A unique field has a second column, `…_key`, with its normalized form for comparisons.
 */
export const table = <Row extends Entity>(
  name: string,
  fields: Fields<Omit<Row, keyof Entity>>,
  options: { readonly unique?: UniqueFact | undefined; readonly isNeeded?: boolean; readonly listed?: string } = {}
): Table<Row> => {
  const { isNeeded = false, listed = "true", unique } = options
  const leaves = leavesOf({
    id: integer("id"),
    uuid: text("uuid"),
    ...fields,
    createdAt: time("created_at"),
    updatedAt: time("updated_at")
  })
  const writable = leaves.flatMap(({ column, path }) =>
    column.write === undefined || column.name === "id" ? [] : [{ name: column.name, path, write: column.write }]
  )
  const keys = writable.flatMap(({ name, path }) =>
    path.join(".") === unique?.fact
      ? [{ name: `${name}_key`, path, write: (value: unknown) => nameKey(String(value)) }]
      : []
  )
  const writing = (targets: typeof writable): Written<object> => ({
    columns: targets.map((each) => each.name).join(", "),
    parameters: (row) => targets.map(({ path, write }) => write(valueAt(row, path)))
  })
  const read = rowReader(leaves)
  return {
    name,
    kind: kindOf(name),
    expressions: expressionsOf(leaves)(name),
    inserted: writing([...writable, ...keys]),
    replaced: writing([...writable, ...keys].filter((each) => each.name !== "uuid")),
    // BOUNDARY: the fields name every fact of a row.
    read: (values) => read(values, 0) as unknown as Row,
    unique: unique?.fact,
    isNeeded,
    listed
  }
}
