import type { Migration } from "../../../Migrations.ts"

/** Adds the reason why the containers of an application could not be restored. */
export const degraded: Migration = {
  name: "0040_degraded",
  up: [`ALTER TABLE serving ADD COLUMN degraded text`]
}
