import type { Migration } from "../../../Migrations.ts"

/** Adds why running containers of serving releases and databases are unhealthy. */
export const unhealthy: Migration = {
  name: "0068_unhealthy",
  up: [`ALTER TABLE serving ADD COLUMN unhealthy text`, `ALTER TABLE database ADD COLUMN unhealthy text`]
}
