import type { Migration } from "../../../Migrations.ts"

/** Adds the resolved compose services to releases. */
export const compose: Migration = {
  name: "0016_compose",
  up: [`ALTER TABLE release ADD COLUMN compose text`]
}
