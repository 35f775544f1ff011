import {
  type FieldData,
  type FieldType,
  memoize,
  nameKey,
  type OwnedData,
  Setting,
  type StoredValues
} from "@slipway/domain"
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

const snake = memoize(Setting.snakeCase)

// Names are quoted, because a field may have the name of an SQL keyword.
const quoted = (name: string): string => `"${snake(name)}"`

/**
 * The tables that have another name than their resource type. These are not owned types (types with generated stores).
 */
const others: Readonly<Record<string, string>> = { user: "account" }

/** Returns the name of the table of a resource type, without quotes. */
export const tableNameOf = (kind: string): string => others[kind] ?? snake(kind)

/** The SQL type of each field type. */
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

/** The column that stores a field, with the conversions of its values. */
export interface Written {
  readonly column: string
  readonly type: string
  readonly field: string
  readonly write: (value: unknown) => unknown
}

/**
 * The database table of an owned resource type (a type with a generated store): its columns, and the conversion of
 * rows.
 */
export interface OwnedSqlTable {
  readonly kind: OwnedData
  readonly name: string
  /** The name of the table that contains the last assigned number of each scope. */
  readonly numbers: string
  /** Returns the SQL expressions that read a row, for the name of the table or an alias. */
  readonly expressions: (alias: string) => string
  /** The number of expressions. */
  readonly width: number
  readonly read: (values: ReadonlyArray<unknown>, place?: number) => StoredValues
  readonly written: ReadonlyArray<Written>
  /** Returns the column that stores a field. */
  readonly column: (field: string) => string
  /**
   * Returns the column that compares a field. If the field ignores case, it is the column with the normalized value.
   */
  readonly key: (field: string) => string
  /** Returns the SQL expression that sorts rows by a field; nulls are last. */
  readonly place: (field: string) => string
  readonly counts: (field: string) => string
}

const greatest: Readonly<Record<string, string>> = {
  time: "timestamptz 'infinity'",
  integer: "9223372036854775807",
  boolean: "true"
}

const keyName = (field: string): string => quoted(`${field}_key`)

const columnOf = (field: string, { nullable: isNullable, type }: FieldData): Column<unknown> => {
  const column = columns[type](quoted(field))
  return isNullable ? nullable(column) : column
}

/** Returns the columns that store the settings of a resource type. */
export const settingColumns = <S extends Setting.Rows>(settings: S) =>
  // BOUNDARY: the field of a setting has the type of its values.
  Object.fromEntries(Object.entries(settings).map(([name, { field }]) => [name, columnOf(name, field)])) as {
    readonly [Name in keyof S]: Column<Setting.Values<S>[Name]>
  }

/** Describes the database table of an owned resource type (a type with a generated store). */
export const ownedTable = (kind: OwnedData): OwnedSqlTable => {
  const name = tableNameOf(kind.name)
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
