import type { Migration } from "../../Migrations.ts"

/** Keeps the descriptions of repositories as searches compare them. */
export const descriptions: Migration = {
  name: "0012_descriptions",
  up: [
    `ALTER TABLE repository ADD description_key text COLLATE "C" NOT NULL DEFAULT ''`,
    `UPDATE repository SET description_key = lower(description) WHERE description <> ''`
  ]
}
