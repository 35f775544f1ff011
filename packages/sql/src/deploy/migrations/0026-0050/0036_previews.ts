import type { Migration } from "../../../Migrations.ts"

// Existing applications stay without submodules and LFS until a user enables them.
const configured = `'{"is_git_submodules_enabled": false, "is_git_lfs_enabled": false,
  "is_preview_deployments_enabled": false, "preview_url_template": "{{pr_id}}.{{domain}}"}'::jsonb`

/** Creates the table of previews. Adds the settings for previews, submodules and LFS to applications and releases. */
export const previews: Migration = {
  name: "0036_previews",
  up: [
    `CREATE TABLE preview (
      application_uuid text COLLATE "C" NOT NULL REFERENCES application (uuid) ON DELETE CASCADE,
      pull_request_id bigint NOT NULL,
      preview_uuid text COLLATE "C" NOT NULL UNIQUE REFERENCES application (uuid) ON DELETE CASCADE,
      branch text COLLATE "C",
      created_at timestamptz NOT NULL,
      PRIMARY KEY (application_uuid, pull_request_id)
    )`,
    `ALTER TABLE deployment ADD COLUMN pull_request_id bigint NOT NULL DEFAULT 0`,
    ...["application", "release"].map((table) => `UPDATE ${table} SET configuration = ${configured} || configuration`)
  ]
}
