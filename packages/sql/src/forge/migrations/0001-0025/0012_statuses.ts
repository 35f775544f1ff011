import { commitStatuses } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Creates the table of commit statuses. */
export const statuses: Migration = {
  name: "0012_statuses",
  up: [
    ...createTable(commitStatuses),
    // Statuses are queried by commit, and a repository has many commits.
    `CREATE INDEX commit_status_commit ON commit_status (repository_id, commit, id)`
  ]
}
