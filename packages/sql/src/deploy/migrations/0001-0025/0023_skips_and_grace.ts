import type { Migration } from "../../../Migrations.ts"

const added = `'{"is_commit_skip_enabled": true, "stop_grace_period": null}'::jsonb`

/** Adds the fields for skipped commits and the stop grace period to existing applications and releases. */
export const skipsAndGrace: Migration = {
  name: "0023_skips_and_grace",
  up: ["application", "release"].map((table) => `UPDATE ${table} SET configuration = ${added} || configuration`)
}
