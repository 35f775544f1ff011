import type { Migration } from "../../../Migrations.ts"

/** Whose repositories, stars and watches are gone through in their order. */
const walked = [
  ["repository", "owner_id"],
  ["star", "user_id"],
  ["watch", "user_id"]
]

/**
 * Has PostgreSQL plan for many rows of each owner and user: it would expect a few of one that it learns of late, read all of them
 * and sort, where those of an index in its order end with the page.
 */
export const largeOwners: Migration = {
  name: "0050_large_owners",
  up: walked.flatMap(([table, column]) => [
    `ALTER TABLE ${table} ALTER ${column} SET (n_distinct = 100)`,
    `ANALYZE ${table}`
  ])
}
