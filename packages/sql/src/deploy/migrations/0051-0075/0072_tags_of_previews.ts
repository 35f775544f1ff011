import type { Migration } from "../../../Migrations.ts"

/** Adds to deployments the tag of the image that their approval sets for a preview. */
export const tagsOfPreviews: Migration = {
  name: "0072_tags_of_previews",
  up: [`ALTER TABLE deployment ADD COLUMN image_tag text COLLATE "C"`]
}
