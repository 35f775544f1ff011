import { type Page, type PageRequest, pageOfRows, pageWindow, placeOfCursor } from "@slipway/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { orDieSql } from "../SqlErrors.ts"
import type { Reader } from "./rows.ts"

/** The order of a list: expressions over `seen`, by which together no two rows are equal, and their types. */
export interface Order {
  readonly by: ReadonlyArray<readonly [expression: string, type: "text" | "bigint"]>
  readonly descending?: boolean
}

/** The order of rows by their number. */
export const byId: Order = { by: [["seen.id", "bigint"]] }
/** The order of rows by their number, the newest first. */
export const newestFirst: Order = { ...byId, descending: true }
/** The order of rows by their name. */
export const byName: Order = { by: [["seen.name_key", "text"]] }

/** What rows are sorted by where they are in the order of a moment, in microseconds. */
export const moment = (column: string) => [`(extract(epoch FROM seen.${column}) * 1000000)::bigint`, "bigint"] as const

/** What a page is cut from: rows called `seen`. */
export interface PageSource {
  /** The table whose rows are read. */
  readonly table: string
  /** What stands behind `FROM`, up to the condition. */
  readonly from: Fragment
  readonly where: Fragment
  readonly order: Order
  /** The number of the row in `table`; `seen.id` unless it stands elsewhere. */
  readonly id?: string
  /** Whether rows come more than once, side by side in the order. */
  readonly repeats?: boolean
  /** What is joined to the rows of the page alone, which are called `page`. */
  readonly join?: Fragment | undefined
  /** Whether the statement is planned for its values: how much a text is found decides how it is best looked for. */
  readonly planned?: boolean
}

/** Returns the condition that rows come behind a cursor in an order. */
export const behind = (sql: SqlClient, { by, descending = false }: Order, after: string | undefined): Fragment => {
  if (after === undefined) return sql`true`
  const place = placeOfCursor(
    after,
    by.map(([, type]) => (type === "text" ? "text" : "number"))
  )
  if (place === undefined) return sql`false`
  const values = place.map((value, at) =>
    by[at]?.[1] === "text" ? sql`${value}::text` : sql`${String(value)}::text::bigint`
  )
  return sql`(${sql.literal(by.map(([each]) => each).join(", "))}) ${sql.literal(descending ? "<" : ">")} (${sql.csv(values)})`
}

/**
 * Reads one page of rows in one statement, with the number of all of them as far as lists are counted.
 *
 * What is read does not grow with the list: the first rows alone are gone through, by their numbers, and counted; whatever else is
 * read of a row is read for those of the page. The limit stands in the text, since PostgreSQL plans for it.
 */
export const countedPage = <Row>(
  sql: SqlClient,
  reader: Reader<Row>,
  { from, id = "seen.id", join, order, planned = false, repeats = false, table, where }: PageSource,
  request: PageRequest
): Effect.Effect<Page<Row>> => {
  const window = pageWindow(request)
  const { after, limit, most, skip } = window
  const direction = order.descending === true ? " DESC" : ""
  const names = order.by.map((_, at) => `place_${at}`)
  const sorting = (expressions: ReadonlyArray<string>) =>
    sql.literal(expressions.map((each) => `${each}${direction}`).join(", "))
  const found = order.by.map(([each], at) => `${each} AS place_${at}`).concat(`${id} AS found`)
  const places = order.by.map(([, type], at) => `ids.place_${at}${type === "bigint" ? "::float8" : ""}`)
  const statement = sql`
    WITH found AS MATERIALIZED (
      SELECT ${sql.literal(`${repeats ? "DISTINCT " : ""}${found.join(", ")}`)}
      FROM ${from} WHERE ${where} AND ${behind(sql, order, after)}
      ORDER BY ${sorting(repeats ? names : order.by.map(([each]) => each))} LIMIT ${sql.literal(String(most))}
    )
    SELECT (SELECT count(*)::float8 FROM found), ${sql.literal([...places, reader.of("page")].join(", "))}
    FROM (SELECT 1) AS one
    LEFT JOIN (SELECT * FROM found ORDER BY ${sorting(names)} LIMIT ${limit} OFFSET ${skip}) ids ON true
    LEFT JOIN ${sql.literal(table)} page ON page.id = ids.found
    ${join ?? sql``}
    ORDER BY ${sorting(names.map((name) => `ids.${name}`))}`
  return orDieSql(
    Effect.map(planned ? statement.valuesUnprepared : statement.values, (all) => {
      const rows = all.flatMap((values) => {
        const row = reader.read(values, 1 + names.length)
        return row === undefined ? [] : [{ row, place: values.slice(1, 1 + names.length) as ReadonlyArray<string> }]
      })
      const page = pageOfRows(window, Number(all[0]?.[0]), rows, ({ place }) => place)
      return { ...page, rows: page.rows.map(({ row }) => row) }
    })
  )
}
