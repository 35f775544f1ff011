import type { Migration } from "../../../Migrations.ts"

/** Adds to variables a comment, and whether builds and containers get the variable. */
export const variableUses: Migration = {
  name: "0024_variable_uses",
  up: [
    `ALTER TABLE variable
      ADD COLUMN is_buildtime boolean NOT NULL DEFAULT true,
      ADD COLUMN is_runtime boolean NOT NULL DEFAULT true,
      ADD COLUMN comment text`
  ]
}
