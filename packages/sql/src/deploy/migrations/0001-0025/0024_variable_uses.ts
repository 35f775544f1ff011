import type { Migration } from "../../../Migrations.ts"

/** Adds to variables whether builds or containers get them, and a comment. */
export const variableUses: Migration = {
  name: "0024_variable_uses",
  up: [
    `ALTER TABLE variable
      ADD COLUMN is_buildtime boolean NOT NULL DEFAULT true,
      ADD COLUMN is_runtime boolean NOT NULL DEFAULT true,
      ADD COLUMN comment text`
  ]
}
