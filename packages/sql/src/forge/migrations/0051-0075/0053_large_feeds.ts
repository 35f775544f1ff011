import type { Migration } from "../../../Migrations.ts"

/**
 * Makes PostgreSQL plan for long feeds, like `0050_large_owners` does for owners. It then reads feeds in index order
 * and stops at the end of the page.
 */
export const largeFeeds: Migration = {
  name: "0053_large_feeds",
  up: [
    ...["actor_id", "organization_id", "repository_id"].map(
      (column) => `ALTER TABLE activity ALTER ${column} SET (n_distinct = 25)`
    ),
    `ANALYZE activity`
  ]
}
