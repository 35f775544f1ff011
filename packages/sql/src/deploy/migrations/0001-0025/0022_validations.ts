import type { Migration } from "../../../Migrations.ts"

/** Adds the result of the last validation to servers. */
export const validations: Migration = {
  name: "0022_validations",
  up: [`ALTER TABLE server ADD COLUMN validation jsonb`]
}
