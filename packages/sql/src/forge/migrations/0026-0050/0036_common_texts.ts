import type { Migration } from "../../../Migrations.ts"

/** Adds an index in the order of names, for searches of a text that many rows contain. */
export const commonTexts: Migration = {
  name: "0036_common_texts",
  up: [`CREATE INDEX account_texts ON account (name_key) INCLUDE (id, visibility, full_name_key)`]
}
