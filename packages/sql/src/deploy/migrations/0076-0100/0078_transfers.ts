import type { Migration } from "../../../Migrations.ts"

/** Adds to servers their transfer to or from another instance. */
export const transfers: Migration = {
  name: "0078_transfers",
  up: [`ALTER TABLE server ADD COLUMN transfer jsonb`]
}
