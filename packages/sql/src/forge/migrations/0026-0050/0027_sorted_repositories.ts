import type { Migration } from "../../../Migrations.ts"

const seenBy = "private, owner_visibility, user_id, organization_id, units"

/** Lets lists of repositories, of all and of one owner, be read in each order that they can be asked in. */
export const sortedRepositories: Migration = {
  name: "0027_sorted_repositories",
  up: ["name_key", "created_at", "updated_at", "size", "stars", "forks"].flatMap((column) => [
    `CREATE INDEX repository_by_${column} ON repository (${column}, id) INCLUDE (owner_id, ${seenBy})`,
    `CREATE INDEX repository_owner_by_${column} ON repository (owner_id, ${column}, id) INCLUDE (${seenBy})`
  ])
}
