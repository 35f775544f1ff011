import type { Migration } from "../../../Migrations.ts"

/** Stores the result of the last validation of a server. */
export const validations: Migration = {
  name: "0022_validations",
  up: [`ALTER TABLE server ADD COLUMN validation jsonb`]
}
