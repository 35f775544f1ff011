import type { Migration } from "../../../Migrations.ts"

/** Adds the object format (SHA-1 or SHA-256) to repositories. */
export const objectFormat: Migration = {
  name: "0024_object_format",
  up: [`ALTER TABLE repository ADD object_format text NOT NULL DEFAULT 'sha1'`]
}
