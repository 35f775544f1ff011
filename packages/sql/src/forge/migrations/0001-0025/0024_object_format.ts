import type { Migration } from "../../../Migrations.ts"

/** Keeps how git names the objects of a repository. */
export const objectFormat: Migration = {
  name: "0024_object_format",
  up: [`ALTER TABLE repository ADD object_format text NOT NULL DEFAULT 'sha1'`]
}
