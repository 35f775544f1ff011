import type { Migration } from "../../../Migrations.ts"

/** Adds the setting that allows or denies the use of the API with tokens. */
export const apiSwitch: Migration = {
  name: "0053_api_switch",
  up: [`ALTER TABLE settings ADD COLUMN is_api_enabled boolean NOT NULL DEFAULT true`]
}
