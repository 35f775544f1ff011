import { nameKey } from "@slipway/domain"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"

const longest = 3

/**
 * The minimum share of rows that contain a common text. A list counts up to 1,000 rows, so a scan finds them among the
 * first 5,000.
 */
const commonFrom = 0.2

/**
 * Returns all substrings of three characters of a text, or the text itself if it is shorter. Every text that contains
 * it has all of these substrings.
 */
const gramsOf = (text: string): ReadonlyArray<string> => {
  const signs = [...text]
  const size = Math.min(longest, signs.length)
  return [...new Set(signs.slice(size - 1).map((_, at) => signs.slice(at, at + size).join("")))]
}

/**
 * Returns the SQL condition that one of several columns of `seen` contains a text, tested on the columns themselves.
 *
 * Unlike `containsText`, it does not use the column `grams`. Use it for scans of an index that has these columns.
 */
export const containingItself = (sql: SqlClient, texts: ReadonlyArray<string>, sought: string): Fragment => {
  const key = lookup(nameKey(sought))
  return key === null ? sql`false` : sql.or(texts.map((each) => sql`strpos(${sql.literal(each)}, ${key}) > 0`))
}

/**
 * Returns the SQL condition that each substring in `parts` occurs in at least the share `from` of all rows. `column`
 * contains the substrings of each row.
 *
 * The condition reads PostgreSQL's statistics. Before the first `ANALYZE`, no substring is common.
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

/**
 * Returns the SQL condition that a text is common: at least a fifth of the rows of a table contain each of its
 * trigrams.
 *
 * For a common text, a scan in the sort order finds a page of matching rows early.
 */
export const isCommon = (sql: SqlClient, table: string, sought: string): Fragment =>
  allCommon(sql, {
    table,
    column: "grams",
    parts: sql`${gramsOf(lookup(nameKey(sought)) ?? "")}::text[]`,
    from: commonFrom
  })

/**
 * Returns the SQL condition that one of several columns of `seen` contains a text, ignoring case. Every row matches an
 * empty text.
 *
 * The indexed column `grams` has all substrings of up to three characters. The index finds the rows that have all
 * substrings of the text; then the columns themselves are tested.
 */
export const containsText = (sql: SqlClient, texts: ReadonlyArray<string>, sought: string): Fragment => {
  const key = lookup(nameKey(sought))
  if (key === null) return sql`false`
  if (key === "") return sql`true`
  return sql`(seen.grams @> ${gramsOf(key)}::text[] AND ${sql.or(texts.map((each) => sql`strpos(${sql.literal(each)}, ${key}) > 0`))})`
}

/**
 * Returns the condition that the description of `seen` contains a text, ignoring case.
 *
 * The indexed column `description_grams` has only trigrams. A text of fewer than three characters is searched in each
 * description.
 */
export const descriptionContains = (sql: SqlClient, sought: string): Fragment => {
  const key = lookup(nameKey(sought))
  if (key === null) return sql`false`
  const found = sql`strpos(seen.description_key, ${key}) > 0`
  return [...key].length < longest ? found : sql`(seen.description_grams @> ${gramsOf(key)}::text[] AND ${found})`
}
