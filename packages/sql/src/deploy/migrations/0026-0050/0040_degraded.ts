import type { Migration } from "../../../Migrations.ts"

/** Adds to applications the reason why their containers could not be restored. */
export const degraded: Migration = {
  name: "0040_degraded",
  up: [`ALTER TABLE serving ADD COLUMN degraded text`]
}
