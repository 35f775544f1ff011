import type { Migration } from "../../../Migrations.ts"

/** Keeps what the last validation of a server found. */
export const validations: Migration = {
  name: "0022_validations",
  up: [`ALTER TABLE server ADD COLUMN validation jsonb`]
}
