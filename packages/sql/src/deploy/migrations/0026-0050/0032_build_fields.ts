import type { Migration } from "../../../Migrations.ts"

/** Gives every variant of application the fields that those had alone which are built, or built from a repository. */
export const buildFields: Migration = {
  name: "0032_build_fields",
  up: ["application", "release"].map(
    (table) => `UPDATE ${table} SET configuration = configuration || jsonb_build_object(
      'disable_build_cache', COALESCE(NULLIF(configuration -> 'disable_build_cache', 'null'), 'false'),
      'include_source_commit_in_build',
      COALESCE(NULLIF(configuration -> 'include_source_commit_in_build', 'null'), 'false'))`
  )
}
