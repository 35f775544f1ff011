import type { Migration } from "../../Migrations.ts"

/**
 * Has PostgreSQL plan for owners with many repositories: it would expect a few of an owner that it learns of late, read all of them
 * and sort, where those of an index in its order end with the page.
 */
export const largeOwners: Migration = {
  name: "0050_large_owners",
  up: [`ALTER TABLE repository ALTER owner_id SET (n_distinct = 100)`, `ANALYZE repository`]
}
