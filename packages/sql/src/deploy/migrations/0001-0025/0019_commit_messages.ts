import type { Migration } from "../../../Migrations.ts"

/** Adds the commit message to deployments and releases. Adds to deployments the cause that triggered them. */
export const commitMessages: Migration = {
  name: "0019_commit_messages",
  up: [
    `ALTER TABLE deployment
      ADD COLUMN commit_message text,
      ADD COLUMN trigger text NOT NULL DEFAULT 'api'`,
    `ALTER TABLE release ADD COLUMN commit_message text`
  ]
}
