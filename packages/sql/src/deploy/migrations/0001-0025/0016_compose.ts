import type { Migration } from "../../../Migrations.ts"

/** Adds to releases what their compose files came to. */
export const compose: Migration = {
  name: "0016_compose",
  up: [`ALTER TABLE release ADD COLUMN compose text`]
}
