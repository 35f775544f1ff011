import type { Migration } from "../../../Migrations.ts"

/** Adds why what serves an application couldn't be brought back. */
export const degraded: Migration = {
  name: "0040_degraded",
  up: [`ALTER TABLE serving ADD COLUMN degraded text`]
}
