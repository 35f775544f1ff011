import { type Page, type PageRequest, pageOfRows, pageWindow, placeOfCursor } from "@slipway/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { orDieSql } from "../../SqlErrors.ts"
import type { Reader } from "./rows.ts"

/**
 * The sort order of a list: SQL expressions on the alias `seen`, with their types. The combination of their values must
 * be unique.
 */
export interface Order {
  readonly by: ReadonlyArray<readonly [expression: string, type: PlaceType]>
  readonly descending?: boolean
  /**
   * An expression that has the same value in all rows, because the condition selects it with `anyOf`.
   *
   * Sorting by this expression first makes PostgreSQL use the index that begins with it.
   */
  readonly lead?: string | undefined
  /**
   * The condition for rows that precede all others. The list then has two parts: the rows that meet the condition, and
   * the other rows. Each part is sorted separately.
   */
  readonly first?: string | undefined
}

type PlaceType = "text" | "bigint" | "timestamptz"

/** The SQL conversions of each type of sort value: to a value in a cursor, and back to a parameter. */
const placeTypes: {
  readonly [T in PlaceType]: {
    readonly shown: (column: string) => string
    readonly asked: (value: unknown, sql: SqlClient) => Fragment
  }
} = {
  text: { shown: (column) => column, asked: (value, sql) => sql`${value}::text` },
  bigint: { shown: (column) => `${column}::float8`, asked: (value, sql) => sql`${String(value)}::text::bigint` },
  // In microseconds, PostgreSQL's precision for times.
  timestamptz: {
    shown: (column) => `(extract(epoch FROM ${column}) * 1000000)::float8`,
    asked: (value, sql) => sql`('epoch'::timestamptz + ${String(value)}::text::bigint * interval '1 microsecond')`
  }
}

/** The order of rows by their id. */
export const byId: Order = { by: [["seen.id", "bigint"]] }
/** The order of rows by their id, the newest first. */
export const newestFirst: Order = { ...byId, descending: true }
/** The order of rows by their name. */
export const byName: Order = { by: [["seen.name_key", "text"]] }

/**
 * Returns an SQL array of one id, for `= ANY`. With an array, PostgreSQL expects many rows, and scans an index in the
 * sort order.
 */
export const anyOf = (sql: SqlClient, id: unknown): Fragment => sql`ANY(ARRAY(SELECT ${id}::bigint))`

/** The SQL source of a page. Its rows have the alias `seen`. */
export interface PageSource {
  /** The table of the rows. */
  readonly table: string
  /** The SQL after `FROM`, up to the condition. */
  readonly from: Fragment
  readonly where: Fragment
  /** An equivalent condition that replaces `where` if `when` is true. The value of `when` is the same for all rows. */
  readonly instead?: { readonly when: Fragment; readonly where: Fragment } | undefined
  readonly order: Order
  /** The SQL expression for the id of the row in `table`. Default: `seen.id`. */
  readonly id?: string
  /** Whether the source returns the same row several times, adjacent in the order. */
  readonly repeats?: boolean
  /**
   * Joins that are made only for the rows of the page, with the alias `page`. Their sort values are `ids.place_0`,
   * `ids.place_1` and so on.
   */
  readonly join?: Fragment | undefined
  /**
   * Whether PostgreSQL plans the statement for the parameter values of each execution, because the best plan depends on
   * how common a searched text is.
   */
  readonly planned?: boolean
}

/** Parses a cursor into its sort values and its part of the list. Part 0 contains the rows of `first`. */
const placeBehind = ({ by, first }: Order, after: string) => {
  const types = by.map(([, type]) => (type === "text" ? ("text" as const) : ("number" as const)))
  const place = placeOfCursor(after, first === undefined ? types : ["number", ...types])
  if (place === undefined) return undefined
  return first === undefined ? { part: 0, values: place } : { part: Number(place[0]), values: place.slice(1) }
}

/** Returns the SQL condition that rows of one part of a list come after a cursor. */
const behindIn = (sql: SqlClient, order: Order, after: string | undefined, part: number): Fragment => {
  const { by, descending = false } = order
  if (after === undefined) return sql`true`
  const place = placeBehind(order, after)
  if (place === undefined || place.part > part) return sql`false`
  if (place.part < part) return sql`true`
  const values = place.values.map((value, at) => placeTypes[by[at]?.[1] ?? "bigint"].asked(value, sql))
  return sql`(${sql.literal(by.map(([each]) => each).join(", "))}) ${sql.literal(descending ? "<" : ">")} (${sql.csv(values)})`
}

/** Returns the SQL condition that rows come after a cursor, in a sort order. */
export const afterCursor = (sql: SqlClient, order: Order, after: string | undefined): Fragment =>
  behindIn(sql, order, after, 0)

/**
 * Reads one page of rows in one statement, with the total number of rows up to the counting limit.
 *
 * The cost does not grow with the list: only the ids of the first rows are read and counted. Other columns are read
 * only for the rows of the page. The limit is part of the SQL text, because PostgreSQL plans for it.
 */
export const countedPage = <Row>(
  sql: SqlClient,
  reader: Reader<Row>,
  { from, id = "seen.id", instead, join, order, planned = false, repeats = false, table, where }: PageSource,
  request: PageRequest
): Effect.Effect<Page<Row>> => {
  const window = pageWindow(request)
  const { after, limit, most, skip } = window
  const direction = order.descending === true ? " DESC" : ""
  const own = order.by.map((_, at) => `place_${at}`)
  const parts = order.first === undefined ? [] : ["part"]
  const lead = order.lead === undefined ? [] : [order.lead]
  const names = [...parts, ...own]
  const sorting = (expressions: ReadonlyArray<string>) =>
    expressions.map((each) => (each.endsWith("part") ? each : `${each}${direction}`)).join(", ")
  const found = order.by.map(([each], at) => `${each} AS place_${at}`).concat(`${id} AS found`)
  const places = [
    ...parts.map(() => "ids.part::float8"),
    ...order.by.map(([, type], at) => placeTypes[type].shown(`ids.place_${at}`))
  ]
  // Each part scans an index in its own order, since sorting by the part would scan all rows.
  const cutBy = (part: number, where: Fragment) => sql`
    SELECT ${sql.literal([...parts.map(() => `${part} AS part`), `${repeats ? "DISTINCT " : ""}${found.join(", ")}`].join(", "))}
    FROM ${from} WHERE ${where} AND ${behindIn(sql, order, after, part)} AND ${sql.literal(
      order.first === undefined ? "true" : `${part === 0 ? "" : "NOT "}(${order.first})`
    )}
    ORDER BY ${sql.literal(sorting(repeats ? own : [...lead, ...order.by.map(([each]) => each)]))} LIMIT ${sql.literal(String(most))}`
  // PostgreSQL evaluates first which of the two applies, and skips the other one.
  const cut = (part: number) =>
    instead === undefined
      ? cutBy(part, where)
      : sql`
        SELECT * FROM (
          (${cutBy(part, sql`NOT (SELECT holds FROM asked) AND ${where}`)})
          UNION ALL (${cutBy(part, sql`(SELECT holds FROM asked) AND ${instead.where}`)})
        ) AS either ORDER BY ${sql.literal(sorting([...parts, ...own]))} LIMIT ${sql.literal(String(most))}`
  // If the first part has enough rows the second one is not read.
  const both = sql`
    SELECT * FROM before
    UNION ALL (SELECT * FROM (${cut(1)}) behind LIMIT (SELECT ${sql.literal(String(most))} - count(*) FROM before))`
  const statement = sql`
    WITH ${instead === undefined ? sql`` : sql`asked AS MATERIALIZED (SELECT ${instead.when} AS holds),`}
    ${order.first === undefined ? sql`` : sql`before AS MATERIALIZED (${cut(0)}),`}
    found AS MATERIALIZED (${order.first === undefined ? cut(0) : both})
    SELECT (SELECT count(*)::float8 FROM found), ${sql.literal([...places, reader.of("page")].join(", "))}
    FROM (SELECT 1) AS one
    LEFT JOIN (SELECT * FROM found ORDER BY ${sql.literal(sorting(names))} LIMIT ${limit} OFFSET ${skip}) ids ON true
    LEFT JOIN ${sql.literal(table)} page ON page.id = ids.found
    ${join ?? sql``}
    ORDER BY ${sql.literal(sorting(names.map((name) => `ids.${name}`)))}`
  return orDieSql(
    Effect.map(planned ? statement.valuesUnprepared : statement.values, (all) => {
      const rows: Array<Row> = []
      let last: ReadonlyArray<unknown> = []
      for (const values of all) {
        const row = reader.read(values, 1 + names.length)
        if (row === undefined) continue
        rows.push(row)
        last = values
      }
      return pageOfRows(
        window,
        Number(all[0]?.[0]),
        rows,
        () => last.slice(1, 1 + names.length) as ReadonlyArray<string>
      )
    })
  )
}
