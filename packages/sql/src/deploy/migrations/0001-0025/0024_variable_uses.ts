import type { Migration } from "../../../Migrations.ts"

/** Lets variables say whether builds or containers get them, and what they are for. */
export const variableUses: Migration = {
  name: "0024_variable_uses",
  up: [
    `ALTER TABLE variable
      ADD COLUMN is_buildtime boolean NOT NULL DEFAULT true,
      ADD COLUMN is_runtime boolean NOT NULL DEFAULT true,
      ADD COLUMN comment text`
  ]
}
