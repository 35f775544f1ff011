import type { Migration } from "../../Migrations.ts"

/** Keeps the preferences of repositories, where they aren't the usual ones, and when one was archived. */
export const preferences: Migration = {
  name: "0010_preferences",
  up: [
    `ALTER TABLE repository ADD preferences jsonb NOT NULL DEFAULT '{}', ADD archived_at timestamptz`,
    `UPDATE repository SET archived_at = updated_at WHERE archived`
  ]
}
