import type { Migration } from "../../../Migrations.ts"

/** The tables with rows of an owner or user that lists read in the order of an index. */
const walked = [
  ["repository", "owner_id"],
  ["star", "user_id"],
  ["watch", "user_id"]
]

/**
 * Makes PostgreSQL plan for many rows of each owner and user.
 *
 * Otherwise it expects few rows of a new owner, so it reads and sorts all rows instead of stopping at the end of the
 * page.
 */
export const largeOwners: Migration = {
  name: "0050_large_owners",
  up: walked.flatMap(([table, column]) => [
    `ALTER TABLE ${table} ALTER ${column} SET (n_distinct = 100)`,
    `ANALYZE ${table}`
  ])
}
