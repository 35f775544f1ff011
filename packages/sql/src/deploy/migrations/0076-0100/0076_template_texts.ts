import type { Migration } from "../../../Migrations.ts"

/** Adds to services the text of the template that they took over, to detect edits. */
export const templateTexts: Migration = {
  name: "0076_template_texts",
  up: [`ALTER TABLE service ADD COLUMN template_compose text`]
}
