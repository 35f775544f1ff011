import { type FieldData, type FieldType, nameKey, type OwnedData, remembered, type StoredValues } from "@slipway/domain"
import {
  boolean,
  type Column,
  expressionsOf,
  integer,
  json,
  nullable,
  rowReader,
  text,
  time
} from "../collection/columns.ts"

const snake = remembered((name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

// Names are quoted, since a field may have the name of a word of SQL.
const quoted = (name: string): string => `"${snake(name)}"`

/** The tables of the things that aren't owned kinds, where they have another name. */
const others: Readonly<Record<string, string>> = { user: "account" }

/** Returns the name of the table of a kind, without quotes. */
export const tableNameOf = (kind: string): string => others[kind] ?? snake(kind)

/** The types of columns. */
export const columnTypes: Readonly<Record<FieldType, string>> = {
  text: "text",
  boolean: "boolean",
  integer: "bigint",
  time: "timestamptz",
  json: "jsonb"
}

// BOUNDARY: the declaration ties the type of a field to its values; a store walks fields of any type.
const erased = <A>(make: (name: string) => Column<A>) => make as unknown as (name: string) => Column<unknown>

const columns: Readonly<Record<FieldType, (name: string) => Column<unknown>>> = {
  text: erased(text),
  boolean: erased(boolean),
  integer: erased(integer),
  time: erased(time),
  json: erased(json)
}

/** A column that a field is written to. */
export interface Written {
  readonly column: string
  readonly type: string
  readonly field: string
  readonly write: (value: unknown) => unknown
}

/** The table of an owned kind: its columns, and how rows go there and come back. */
export interface OwnedSqlTable {
  readonly kind: OwnedData
  readonly name: string
  /** The table of the last numbers within each scope. */
  readonly numbers: string
  /** The expressions that a row is read from, of the table or of an alias. */
  readonly expressions: (alias: string) => string
  /** How many expressions there are. */
  readonly width: number
  readonly read: (values: ReadonlyArray<unknown>, place?: number) => StoredValues
  readonly written: ReadonlyArray<Written>
  /** The column that a field is read from. */
  readonly column: (field: string) => string
  /** The column in which a field is compared: that of its key, where case makes no difference. */
  readonly key: (field: string) => string
  /** The expression by which rows are sorted: nulls are last. */
  readonly place: (field: string) => string
  readonly counts: (field: string) => string
}

const greatest: Readonly<Record<string, string>> = {
  time: "timestamptz 'infinity'",
  integer: "9223372036854775807",
  boolean: "true"
}

const keyName = (field: string): string => quoted(`${field}_key`)

/** Returns the table of an owned kind. */
export const ownedTable = (kind: OwnedData): OwnedSqlTable => {
  const name = tableNameOf(kind.name)
  const columnOf = (field: string, { nullable: isNullable, type }: FieldData): Column<unknown> => {
    const column = columns[type](quoted(field))
    return isNullable ? nullable(column) : column
  }
  const stored = Object.entries(kind.fields).map(([field, data]) => ({ field, data, column: columnOf(field, data) }))
  const shown = [
    { name: "id", column: columns.integer("id") },
    ...stored.flatMap(({ column, field }) => (kind.hidden.includes(field) ? [] : [{ name: field, column }]))
  ]
  const read = rowReader(shown.map(({ column, name }) => ({ path: [name], column })))
  const key = (field: string) => (kind.fields[field]?.ignoringCase === true ? keyName(field) : quoted(field))
  return {
    kind,
    name: `"${name}"`,
    numbers: `"${name}_number"`,
    expressions: expressionsOf(shown),
    width: shown.length,
    read: (values, place = 0) =>
      // BOUNDARY: the fields name every fact of a row.
      read(values, place) as unknown as StoredValues,
    written: stored.flatMap(({ column, data, field }) => {
      const type = columnTypes[data.type]
      const write = column.write as (value: unknown) => unknown
      return [
        { column: column.name, type, field, write },
        ...(data.ignoringCase
          ? [
              {
                column: keyName(field),
                type,
                field,
                write: (value: unknown) => (value === null ? null : nameKey(String(value)))
              }
            ]
          : [])
      ]
    }),
    column: quoted,
    key,
    place: (field) => {
      const data = kind.fields[field]
      return data?.nullable === true ? `(coalesce(${key(field)}, ${greatest[data.type]}))` : key(field)
    },
    counts: (field) => `"${name}_${snake(field)}_count"`
  }
}
