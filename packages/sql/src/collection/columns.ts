import { PgTypes } from "@effect/sql-pg"
import { memoize } from "@slipway/domain"
import { timeText } from "./timeText.ts"

/** A column of a table, with the conversions that write and read a value. */
export interface Column<A> {
  readonly _tag: "Column"
  readonly name: string
  /** Returns the expression that reads the column; undefined for `table.name`, without a cast or another table. */
  readonly expression: ((table: string) => string) | undefined
  /** Returns the parameter that writes a value; undefined for values from other tables. */
  readonly write: ((value: A) => unknown) | undefined
  readonly read: (stored: unknown) => A
}

/** A part of a row with several columns, such as a placement. */
export interface Group<A> {
  readonly _tag: "Group"
  readonly fields: Fields<A>
}

/** The storage of a row's field: one column, or several. */
export type Field<A> = Column<A> | Group<A>

/** A column for every field of a row. */
export type Fields<Row> = { readonly [Name in keyof Row]-?: Field<Row[Name]> }

/** Makes the columns of a part of a row. */
export const group = <A>(fields: Fields<A>): Group<A> => ({ _tag: "Group", fields })

/** Makes the parameter of a time; null stays null. */
export const moment = (at: string | null) => (at === null ? null : PgTypes.timestamptz(new Date(at)))

// BOUNDARY: the database returns the values that were written through the same column, so its type is the one of the field.
const as = <A>(stored: unknown) => stored as A

/** A text, with a brand or as literals if the field says so. */
export const text = <A extends string>(name: string): Column<A> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: (value) => value,
  read: as
})

/** A boolean. */
export const boolean = (name: string): Column<boolean> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: PgTypes.bool,
  read: as
})

/**
 * An integer, read as a float: the driver would return a bigint, which JSON does not support.
 *
 * A cast with `::` would keep the column's name, and `ORDER BY` would then sort by the cast value without an index.
 */
export const integer = <A extends number>(name: string): Column<A> => ({
  _tag: "Column",
  name,
  expression: (table) => `float8(${table}.${name})`,
  write: (value) => PgTypes.int8(BigInt(value)),
  read: as
})

/** A number with a fraction. */
export const float = (name: string): Column<number> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: PgTypes.float8,
  read: as
})

/** A time, which rows contain in ISO 8601 to the millisecond. */
export const time = (name: string): Column<string> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: (value) => PgTypes.timestamptz(new Date(value)),
  read: (stored) => timeText(as<Date>(stored))
})

/** A JSON document. */
export const json = <A>(name: string): Column<A> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: PgTypes.jsonb,
  read: as
})

/** A JSON document. `usual` has all of its fields, with default values for fields that an older row lacks. */
export const document = <A extends object>(name: string, usual: A): Column<A> => {
  const fields = Object.keys(usual).map((field) => {
    const key = JSON.stringify(field)
    return `${key}: stored[${key}] === undefined ? usual[${key}] : stored[${key}]`
  })
  const read = new Function("usual", `return (stored) => ({ ${fields.join(", ")} })`)(usual) as Column<A>["read"]
  return { ...json<A>(name), read }
}

/** A nullable column. */
export const nullable = <A>(column: Column<A>): Column<A | null> => ({
  ...column,
  write: column.write && ((value) => (value === null ? null : column.write?.(value))),
  read: column.read === as ? as : (stored) => (stored === null ? null : column.read(stored))
})

/** A current value from another table, read by an expression and never written. */
export const readFromTable = <A extends string>(name: string, expression: (table: string) => string): Column<A> => ({
  _tag: "Column",
  name,
  expression,
  write: undefined,
  read: as
})

/** A column and the name of the field that it stores. */
export interface NamedColumn {
  readonly name: string
  readonly column: Column<unknown>
}

/** Returns a function that builds the expressions of columns of a table or an alias; results are cached by alias. */
export const expressionsOf = (columns: ReadonlyArray<Pick<NamedColumn, "column">>): ((alias: string) => string) =>
  memoize((alias) => columns.map(({ column }) => column.expression?.(alias) ?? `${alias}.${column.name}`).join(", "))

/** A column and the path of its field in a row. */
export interface PlacedColumn {
  readonly path: ReadonlyArray<string>
  readonly column: Pick<Column<unknown>, "read">
}

type Read = (values: ReadonlyArray<unknown>, place: number) => Record<string, unknown>

interface Parts extends Map<string, Parts | string> {}

const literalOf = (parts: Parts): string =>
  `{ ${[...parts].map(([name, part]) => `${JSON.stringify(name)}: ${typeof part === "string" ? part : literalOf(part)}`).join(", ")} }`

const programOf = (columns: ReadonlyArray<PlacedColumn>): Read => {
  const row: Parts = new Map()
  columns.forEach(({ column, path }, at) => {
    const inner = path.slice(0, -1).reduce<Parts>((part, name) => {
      const found = part.get(name) ?? new Map()
      part.set(name, found)
      return found as Parts
    }, row)
    const value = `values[place + ${at}]`
    inner.set(path.at(-1) ?? "", column.read === as ? value : `read[${at}](${value})`)
  })
  const reads = columns.map(({ column }) => column.read)
  return new Function("read", `return (values, place) => (${literalOf(row)})`)(reads) as Read
}

/**
 * Returns a function that reads the fields of a row from its column values, starting at a position.
 *
 * The function is compiled from the field names at the first row, because walking the columns takes many times as long.
 */
export const rowReader = (columns: ReadonlyArray<PlacedColumn>): Read => {
  let program: Read | undefined
  return (values, place) => {
    program ??= programOf(columns)
    return program(values, place)
  }
}
