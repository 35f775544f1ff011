import type { Migration } from "../../../Migrations.ts"

/** Keeps where a file of a release lies whose bytes are kept elsewhere. */
export const links: Migration = {
  name: "0043_links",
  up: [`ALTER TABLE attachment ADD COLUMN link text`]
}
