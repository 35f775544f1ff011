import type { Migration } from "../../../Migrations.ts"

/**
 * Adds to repositories the preferences that differ from the defaults, the time of archiving, and search by description.
 */
export const preferences: Migration = {
  name: "0010_preferences",
  up: [
    `ALTER TABLE repository
      ADD preferences jsonb NOT NULL DEFAULT '{}',
      ADD archived_at timestamptz,
      ADD description_key text COLLATE "C" NOT NULL DEFAULT ''`,
    `UPDATE repository SET
      archived_at = CASE WHEN archived THEN updated_at END,
      description_key = lower(description)
    WHERE archived OR description <> ''`
  ]
}
