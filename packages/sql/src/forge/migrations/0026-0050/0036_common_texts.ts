import type { Migration } from "../../../Migrations.ts"

/** Lets a text that many users have be looked for in the order of names, in one index. */
export const commonTexts: Migration = {
  name: "0036_common_texts",
  up: [`CREATE INDEX account_texts ON account (name_key) INCLUDE (id, visibility, full_name_key)`]
}
