import type { Migration } from "../../../Migrations.ts"

/** Adds the address of release files that are stored elsewhere. */
export const links: Migration = {
  name: "0043_links",
  up: [`ALTER TABLE attachment ADD COLUMN link text`]
}
