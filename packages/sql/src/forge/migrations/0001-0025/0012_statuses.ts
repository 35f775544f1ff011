import { commitStatuses } from "@slipway/domain/forge/collaboration"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Makes the table of what checks say of commits. */
export const statuses: Migration = {
  name: "0012_statuses",
  up: [
    ...createTable(commitStatuses),
    // Statuses are asked for by commit, of which a repository has many.
    `CREATE INDEX commit_status_commit ON commit_status (repository_id, commit, id)`
  ]
}
