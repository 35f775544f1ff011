import { type Page, type PageRequest, windowOf } from "@slipway/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { orDieSql } from "../SqlErrors.ts"
import type { Reader } from "./rows.ts"

/** What a page is cut from: rows called `seen`, which have an `id`. */
export interface PageSource {
  /** The table whose rows are read. */
  readonly table: string
  /** What stands behind `FROM`, up to the condition. */
  readonly from: Fragment
  readonly where: Fragment
  /** An expression over `seen`, by which no two rows are equal. */
  readonly order: string
  readonly descending?: boolean
  /** What is joined to the rows of the page alone, which are called `page`. */
  readonly join?: Fragment | undefined
}

/**
 * Reads one page of rows, with the number of all of them, in one statement.
 *
 * The rows are found by number first: whatever else is read of them is read for those of the page alone.
 */
export const countedPage = <Row>(
  sql: SqlClient,
  reader: Reader<Row>,
  { descending = false, from, join, order, table, where }: PageSource,
  page: PageRequest
): Effect.Effect<Page<Row>> => {
  const { limit, skip = 0 } = windowOf(page)
  const place = sql.literal(order)
  const way = sql.literal(descending ? "DESC" : "ASC")
  const matching = sql`FROM ${from} WHERE ${where}`
  return orDieSql(
    Effect.map(
      sql`
        SELECT counted.total, ${sql.literal(reader.of("page"))}
        FROM (SELECT count(*)::float8 AS total ${matching}) counted
        LEFT JOIN (
          SELECT seen.id AS found, ${place} AS place ${matching} ORDER BY ${place} ${way} LIMIT ${limit} OFFSET ${skip}
        ) ids ON true
        LEFT JOIN ${sql.literal(table)} page ON page.id = ids.found
        ${join ?? sql``}
        ORDER BY ids.place ${way}`.values,
      (rows) => ({ rows: rows.flatMap((values) => reader.read(values, 1) ?? []), total: Number(rows[0]?.[0]) })
    )
  )
}
