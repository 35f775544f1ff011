import type { Migration } from "../../../Migrations.ts"

/** Adds the setting that allows or denies tokens the use of the API. */
export const apiSwitch: Migration = {
  name: "0053_api_switch",
  up: [`ALTER TABLE settings ADD COLUMN is_api_enabled boolean NOT NULL DEFAULT true`]
}
