import type { Entity, New } from "@slipway/domain"
import { type Column, type Fields, integer, text, time } from "./columns.ts"

/** A name that must be the only one, ignoring case, in the whole table or among the rows that share other columns. */
export interface UniqueName<Row> {
  /** The field, as it is reported. */
  readonly field: keyof Row & string
  /** Makes the form in which the name is compared; it stands in the column `name_key`. */
  readonly key: (row: Omit<Row, "id">) => string
  readonly among: ReadonlyArray<string>
}

/** A table of one kind of thing, and everything that reading and writing its rows needs. */
export interface Table<Row extends Entity> {
  readonly name: string
  /** What the domain calls it: the table's name in camel case. */
  readonly kind: string
  /** The columns as they stand in the table, for a sub-select that passes them on. */
  readonly stored: string
  /** The expressions of all fields, in the order that `read` takes them in. */
  readonly expressions: string
  /** The columns that are written, in the order of `parameters`. */
  readonly written: ReadonlyArray<string>
  readonly parameters: (row: New<Row>) => ReadonlyArray<unknown>
  readonly read: (values: ReadonlyArray<unknown>) => Row
  readonly unique: { readonly of: string; readonly columns: ReadonlyArray<string> } | undefined
  /** Whether rows of other tables can keep a row from being removed. */
  readonly isNeeded: boolean
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

const put = (row: Record<string, unknown>, path: ReadonlyArray<string>, value: unknown): void => {
  let part = row
  for (const name of path.slice(0, -1)) part = (part[name] ??= {}) as Record<string, unknown>
  part[path.at(-1) as string] = value
}

/** Returns what the domain calls the rows of a table: `forge_app` holds each `forgeApp`. */
export const kindOf = (table: string): string =>
  table.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Describes a table by one column for each field of its rows; number, uuid and times are the same everywhere. */
export const table = <Row extends Entity>(
  name: string,
  fields: Fields<Omit<Row, keyof Entity>>,
  options: { readonly unique?: UniqueName<Row>; readonly isNeeded?: boolean } = {}
): Table<Row> => {
  const { isNeeded = false, unique } = options
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
  return {
    name,
    kind: kindOf(name),
    stored: ["id", ...writable.map((each) => each.name)].join(", "),
    expressions: leaves.map(({ column }) => column.expression?.(name) ?? `${name}.${column.name}`).join(", "),
    written: [...writable.map((each) => each.name), ...(unique === undefined ? [] : ["name_key"])],
    parameters: (row) => [
      ...writable.map(({ path, write }) => write(valueAt(row, path))),
      ...(unique === undefined ? [] : [unique.key(row)])
    ],
    read: (values) => {
      const row: Record<string, unknown> = {}
      leaves.forEach(({ column, path }, index) => {
        put(row, path, column.read(values[index]))
      })
      return row as unknown as Row
    },
    unique:
      unique === undefined
        ? undefined
        : { of: `${kindOf(name)}.${unique.field}`, columns: [...unique.among, "name_key"] },
    isNeeded
  }
}
