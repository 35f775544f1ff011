import type { Migration } from "../../../Migrations.ts"

/** Adds to applications whether a manifest created them. Existing applications were created by users. */
export const declaredApplications: Migration = {
  name: "0047_declared_applications",
  up: [`ALTER TABLE application ADD COLUMN is_declared boolean NOT NULL DEFAULT false`]
}
