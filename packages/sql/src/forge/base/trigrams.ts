import { nameKey } from "@slipway/domain"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"

const longest = 3

/** The share of rows from which a text is common: the 1,000 rows that a list counts are then among the first 5,000. */
const commonFrom = 0.2

/** Returns the substrings of up to three characters of a text; each text that contains it has them too. */
const gramsOf = (text: string): ReadonlyArray<string> => {
  const signs = [...text]
  const size = Math.min(longest, signs.length)
  return [...new Set(signs.slice(size - 1).map((_, at) => signs.slice(at, at + size).join("")))]
}

/**
 * Returns the condition that one of some texts of `seen` contains a text, as `containing` does, for scans of an index
 * with these texts.
 */
export const containingItself = (sql: SqlClient, texts: ReadonlyArray<string>, sought: string): Fragment => {
  const key = lookup(nameKey(sought))
  return key === null ? sql`false` : sql.or(texts.map((each) => sql`strpos(${sql.literal(each)}, ${key}) > 0`))
}

/**
 * Returns the condition that each of some substrings is in a share of all rows of a table, in a column with the
 * substrings of each row.
 *
 * It uses PostgreSQL's statistics: before the first analysis, nothing is common.
 */
export const allCommon = (
  sql: SqlClient,
  {
    column,
    from,
    parts,
    table
  }: { readonly table: string; readonly column: string; readonly parts: Fragment; readonly from: number }
): Fragment => sql`(
  SELECT coalesce(min(coalesce(common.frequency, 0)), 0) >= ${sql.literal(String(from))}
  FROM unnest(${parts}) AS sought (part)
  LEFT JOIN (
    SELECT unnest(most_common_elems::text::text[]) AS part, unnest(most_common_elem_freqs) AS frequency
    FROM pg_stats WHERE schemaname = current_schema() AND tablename = ${table} AND attname = ${column}
  ) common ON common.part = sought.part
)`

/** Returns the condition that a text is so common in a table that scanning a list's own index fills a page soon. */
export const isCommon = (sql: SqlClient, table: string, sought: string): Fragment =>
  allCommon(sql, {
    table,
    column: "grams",
    parts: sql`${gramsOf(lookup(nameKey(sought)) ?? "")}::text[]`,
    from: commonFrom
  })

/**
 * Returns the condition that one of some texts of `seen` contains a text, ignoring case; an empty text is in each.
 *
 * The column `grams` has all substrings of up to three characters of the texts, and an index, which finds the few rows
 * with all substrings of the sought text; the texts themselves decide.
 */
export const containing = (sql: SqlClient, texts: ReadonlyArray<string>, sought: string): Fragment => {
  const key = lookup(nameKey(sought))
  if (key === null) return sql`false`
  if (key === "") return sql`true`
  return sql`(seen.grams @> ${gramsOf(key)}::text[] AND ${sql.or(texts.map((each) => sql`strpos(${sql.literal(each)}, ${key}) > 0`))})`
}

/**
 * Returns the condition that the description of `seen` contains a text, ignoring case.
 *
 * The column `description_grams` has only its substrings of three characters: a shorter text is searched in each
 * description.
 */
export const describing = (sql: SqlClient, sought: string): Fragment => {
  const key = lookup(nameKey(sought))
  if (key === null) return sql`false`
  const found = sql`strpos(seen.description_key, ${key}) > 0`
  return [...key].length < longest ? found : sql`(seen.description_grams @> ${gramsOf(key)}::text[] AND ${found})`
}
