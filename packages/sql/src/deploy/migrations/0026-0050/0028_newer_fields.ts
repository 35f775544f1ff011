import type { Migration } from "../../../Migrations.ts"

const everywhere = `'{"is_gzip_enabled": false, "is_stripprefix_enabled": false, "noindex_domains": [],
  "is_env_sorting_enabled": false, "docker_images_to_keep": null}'::jsonb`

// Fields that a variant does not have are null.
const ofVariants = `jsonb_build_object(
  'disable_build_cache', CASE WHEN configuration -> 'base_directory' = 'null'::jsonb THEN NULL ELSE false END,
  'include_source_commit_in_build', CASE WHEN configuration -> 'is_auto_deploy_enabled' = 'null'::jsonb THEN NULL ELSE false END)`

/** Adds further fields that clients of Coolify send to existing applications and releases. */
export const newerFields: Migration = {
  name: "0028_newer_fields",
  up: ["application", "release"].map(
    (table) => `UPDATE ${table} SET configuration = ${everywhere} || ${ofVariants} || configuration`
  )
}
