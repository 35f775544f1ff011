import type { Migration } from "../../../Migrations.ts"

const seenBy = "private, owner_visibility, user_id, organization_id, units"

/** Adds an index for each sort order of repositories, for lists of the whole site and for lists of one owner. */
export const sortedRepositories: Migration = {
  name: "0027_sorted_repositories",
  up: ["name_key", "created_at", "updated_at", "size", "stars", "forks"].flatMap((column) => [
    `CREATE INDEX repository_by_${column} ON repository (${column}, id) INCLUDE (owner_id, ${seenBy})`,
    `CREATE INDEX repository_owner_by_${column} ON repository (owner_id, ${column}, id) INCLUDE (${seenBy})`
  ])
}
