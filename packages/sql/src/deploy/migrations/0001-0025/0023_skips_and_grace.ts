import type { Migration } from "../../../Migrations.ts"

const added = `'{"is_commit_skip_enabled": true, "stop_grace_period": null}'::jsonb`

/** Gives applications and releases from before the settings for commits that ask not to be deployed, and for slow requests. */
export const skipsAndGrace: Migration = {
  name: "0023_skips_and_grace",
  up: ["application", "release"].map((table) => `UPDATE ${table} SET configuration = ${added} || configuration`)
}
