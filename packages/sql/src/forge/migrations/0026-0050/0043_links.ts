import type { Migration } from "../../../Migrations.ts"

/** Adds the URL of release files that are stored on another host. */
export const links: Migration = {
  name: "0043_links",
  up: [`ALTER TABLE attachment ADD COLUMN link text`]
}
