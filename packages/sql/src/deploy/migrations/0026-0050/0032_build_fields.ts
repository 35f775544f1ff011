import type { Migration } from "../../../Migrations.ts"

/** Adds the build fields to all variants of applications. Before, only applications that are built had them. */
export const buildFields: Migration = {
  name: "0032_build_fields",
  up: ["application", "release"].map(
    (table) => `UPDATE ${table} SET configuration = configuration || jsonb_build_object(
      'disable_build_cache', COALESCE(NULLIF(configuration -> 'disable_build_cache', 'null'), 'false'),
      'include_source_commit_in_build',
      COALESCE(NULLIF(configuration -> 'include_source_commit_in_build', 'null'), 'false'))`
  )
}
