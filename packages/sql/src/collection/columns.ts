import { PgTypes } from "@effect/sql-pg"
import { memoize } from "@slipway/domain"
import { timeText } from "./timeText.ts"

/** A column of a table, with the conversions between a stored value and the value in a row. */
export interface Column<A> {
  readonly _tag: "Column"
  readonly name: string
  /** Returns the SQL expression that reads the column. Undefined if the expression is `table.name`, without a cast. */
  readonly expression: ((table: string) => string) | undefined
  /**
   * Returns the statement parameter for a value. Undefined if the value is read from another table, and never written.
   */
  readonly write: ((value: A) => unknown) | undefined
  readonly read: (stored: unknown) => A
  /** The name of another column with the stored value of this one, such as an array; undefined for its own value. */
  readonly storedIn?: string
}

/** A field of a row that is stored in several columns, such as a placement. */
export interface Group<A> {
  readonly _tag: "Group"
  readonly fields: Fields<A>
}

/** The storage of a row's field: one column, or several. */
export type Field<A> = Column<A> | Group<A>

/** A column for every field of a row. */
export type Fields<Row> = { readonly [Name in keyof Row]-?: Field<Row[Name]> }

/** Makes a field of a row that is stored in several columns. */
export const group = <A>(fields: Fields<A>): Group<A> => ({ _tag: "Group", fields })

/** Returns the statement parameter for a time in ISO 8601; null stays null. */
export const moment = (at: string | null) => (at === null ? null : PgTypes.timestamptz(new Date(at)))

// BOUNDARY: the database returns the values that were written through the same column, so its type is the one of the field.
const as = <A>(stored: unknown) => stored as A

/** Declares a text column. The type of its values may be a branded string or a union of literals. */
export const text = <A extends string>(name: string): Column<A> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: (value) => value,
  read: as
})

/** Declares a boolean column. */
export const boolean = (name: string): Column<boolean> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: PgTypes.bool,
  read: as
})

/**
 * Declares an integer column. It is read as a float, because the driver would return a bigint, which JSON does not
 * support.
 *
 * A cast with `::` would keep the name of the column, and `ORDER BY` would then sort by the cast value, without an
 * index.
 */
export const integer = <A extends number>(name: string): Column<A> => ({
  _tag: "Column",
  name,
  expression: (table) => `float8(${table}.${name})`,
  write: (value) => PgTypes.int8(BigInt(value)),
  read: as
})

/** Declares a column for numbers with a fraction. */
export const float = (name: string): Column<number> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: PgTypes.float8,
  read: as
})

/** Declares a column for times. Rows contain a time in ISO 8601, with milliseconds. */
export const time = (name: string): Column<string> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: (value) => PgTypes.timestamptz(new Date(value)),
  read: (stored) => timeText(as<Date>(stored))
})

/** Declares a column for JSON documents. */
export const json = <A>(name: string): Column<A> => ({
  _tag: "Column",
  name,
  expression: undefined,
  write: PgTypes.jsonb,
  read: as
})

/**
 * Declares a column for JSON documents with default values. `usual` has all fields; its value is used for each field
 * that an older row lacks.
 */
export const document = <A extends object>(name: string, usual: A): Column<A> => {
  const fields = Object.keys(usual).map((field) => {
    const key = JSON.stringify(field)
    return `${key}: stored[${key}] === undefined ? usual[${key}] : stored[${key}]`
  })
  const read = new Function("usual", `return (stored) => ({ ${fields.join(", ")} })`)(usual) as Column<A>["read"]
  return { ...json<A>(name), read }
}

/** Makes a column nullable. */
export const nullable = <A>(column: Column<A>): Column<A | null> => ({
  ...column,
  write: column.write && ((value) => (value === null ? null : column.write?.(value))),
  read: column.read === as ? as : (stored) => (stored === null ? null : column.read(stored))
})

/** Declares a field with a current value from another table. An SQL expression reads it; it is never written. */
export const readFromTable = <A extends string>(name: string, expression: (table: string) => string): Column<A> => ({
  _tag: "Column",
  name,
  expression,
  write: undefined,
  read: as
})

/**
 * Some current values from another table, read by one expression of a text and never written.
 *
 * The text has the values in order, with a space between them; only the last value may contain spaces. The first column
 * selects the text, and the others read from it: a subquery for each of them takes longer, and so does an array.
 */
export const sharedText =
  (name: string, count: number, expression: (table: string) => string) =>
  <A>(at: number, convert: (text: string) => A): Column<A> => ({
    _tag: "Column",
    name: at === 0 ? name : `${name}_${at}`,
    expression: at === 0 ? expression : () => "NULL",
    write: undefined,
    read: (stored) => {
      const all = as<string>(stored)
      let start = 0
      for (let before = 0; before < at; before++) start = all.indexOf(" ", start) + 1
      return convert(at === count - 1 ? all.slice(start) : all.slice(start, all.indexOf(" ", start)))
    },
    ...(at === 0 ? {} : { storedIn: name })
  })

/** A column and the name of the field that it stores. */
export interface NamedColumn {
  readonly name: string
  readonly column: Column<unknown>
}

/**
 * Returns a function that builds the SQL expressions that read columns, for a table name or an alias. Its results are
 * cached.
 */
export const expressionsOf = (columns: ReadonlyArray<Pick<NamedColumn, "column">>): ((alias: string) => string) =>
  memoize((alias) => columns.map(({ column }) => column.expression?.(alias) ?? `${alias}.${column.name}`).join(", "))

/** A column, with the path of the field that it stores. */
export interface PlacedColumn {
  readonly path: ReadonlyArray<string>
  readonly column: Pick<Column<unknown>, "read"> & Partial<Pick<Column<unknown>, "name" | "storedIn">>
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
    const { storedIn } = column
    const from = storedIn === undefined ? at : columns.findIndex(({ column: { name } }) => name === storedIn)
    const value = `values[place + ${from}]`
    inner.set(path.at(-1) ?? "", column.read === as ? value : `read[${at}](${value})`)
  })
  const reads = columns.map(({ column }) => column.read)
  return new Function("read", `return (values, place) => (${literalOf(row)})`)(reads) as Read
}

/**
 * Returns a function that reads a row from a list of column values, starting at a position in the list.
 *
 * The function is compiled at the first row, because visiting the columns for each row takes many times as long.
 */
export const rowReader = (columns: ReadonlyArray<PlacedColumn>): Read => {
  let program: Read | undefined
  return (values, place) => {
    program ??= programOf(columns)
    return program(values, place)
  }
}
