import type { Migration } from "../../../Migrations.ts"

/** Adds to releases the services of their compose file, with all variables resolved. */
export const compose: Migration = {
  name: "0016_compose",
  up: [`ALTER TABLE release ADD COLUMN compose text`]
}
