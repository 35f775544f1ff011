import type { Migration } from "../../../Migrations.ts"

/** Adds the creation time to the settings, which is the time of the first start of the instance. */
export const settingsCreation: Migration = {
  name: "0043_settings_creation",
  up: [
    `ALTER TABLE settings ADD COLUMN created_at timestamptz`,
    `UPDATE settings SET created_at = updated_at`,
    `ALTER TABLE settings ALTER COLUMN created_at SET NOT NULL`
  ]
}
