import type { Migration } from "../../../Migrations.ts"

/**
 * Has PostgreSQL plan for feeds that are long, as for the lists of large owners: it goes through them in their order, and ends
 * with the page.
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
