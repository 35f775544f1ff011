import type { Migration } from "../../../Migrations.ts"

/** Renames the column that marks one-time mirrors, which repository migrations use and which synchronize once. */
export const oneTimeMirrors: Migration = {
  name: "0077_one_time_mirrors",
  up: [`ALTER TABLE mirror RENAME COLUMN once TO one_time`]
}
