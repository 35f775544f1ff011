import type { Migration } from "../../../Migrations.ts"

/** Creates the table of settings, with one row. */
export const settings: Migration = {
  name: "0012_settings",
  up: [
    `CREATE TABLE settings (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      instance_domains text NOT NULL,
      key_check text,
      updated_at timestamptz NOT NULL
    )`
  ]
}
