import type { Migration } from "../../../Migrations.ts"

/** Adds when the settings were first written, which is when the instance was first started. */
export const settingsCreation: Migration = {
  name: "0043_settings_creation",
  up: [
    `ALTER TABLE settings ADD COLUMN created_at timestamptz`,
    `UPDATE settings SET created_at = updated_at`,
    `ALTER TABLE settings ALTER COLUMN created_at SET NOT NULL`
  ]
}
