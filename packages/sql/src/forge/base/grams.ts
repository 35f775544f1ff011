import { nameKey } from "@slipway/domain"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"

const longest = 3

/** Which share of all rows has what is common: a list counts no more than 1,000, which then are among the first 5,000. */
const commonFrom = 0.2

/** Returns the parts of a text, of up to three signs, that each text which holds it has too. */
const gramsOf = (text: string): ReadonlyArray<string> => {
  const signs = [...text]
  const size = Math.min(longest, signs.length)
  return [...new Set(signs.slice(size - 1).map((_, at) => signs.slice(at, at + size).join("")))]
}

/**
 * Returns the condition that one of some texts of `seen` holds a text as `containing` does, for what goes through an
 * index that has them.
 */
export const containingItself = (sql: SqlClient, texts: ReadonlyArray<string>, sought: string): Fragment => {
  const key = lookup(nameKey(sought))
  return key === null ? sql`false` : sql.or(texts.map((each) => sql`strpos(${sql.literal(each)}, ${key}) > 0`))
}

/**
 * Returns the condition that each of some parts is in a share of all rows of a table, in a column that has the parts of each row.
 *
 * It is what PostgreSQL has learned of the parts: where it has looked at none yet, nothing is common.
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

/** Returns the condition that so many rows of a table hold a text that a list is filled soon by going through its own index. */
export const isCommon = (sql: SqlClient, table: string, sought: string): Fragment =>
  allCommon(sql, {
    table,
    column: "grams",
    parts: sql`${gramsOf(lookup(nameKey(sought)) ?? "")}::text[]`,
    from: commonFrom
  })

/**
 * Returns the condition that one of some texts of `seen` holds a text, ignoring case; whatever the text, an empty one is in each.
 *
 * The column `grams` has all parts of up to three signs of the texts, and an index, which finds those few rows that have all
 * parts of what is sought; the texts themselves decide.
 */
export const containing = (sql: SqlClient, texts: ReadonlyArray<string>, sought: string): Fragment => {
  const key = lookup(nameKey(sought))
  if (key === null) return sql`false`
  if (key === "") return sql`true`
  return sql`(seen.grams @> ${gramsOf(key)}::text[] AND ${sql.or(texts.map((each) => sql`strpos(${sql.literal(each)}, ${key}) > 0`))})`
}

/**
 * Returns the condition that the description of `seen` holds a text, ignoring case.
 *
 * The column `description_grams` has its parts of three signs alone: what is shorter is looked for in each description.
 */
export const describing = (sql: SqlClient, sought: string): Fragment => {
  const key = lookup(nameKey(sought))
  if (key === null) return sql`false`
  const found = sql`strpos(seen.description_key, ${key}) > 0`
  return [...key].length < longest ? found : sql`(seen.description_grams @> ${gramsOf(key)}::text[] AND ${found})`
}
