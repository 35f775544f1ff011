import type { Migration } from "../../../Migrations.ts"

/**
 * Adds indexes for the common sort orders of issues (of the whole site and of one repository), and an index for labels
 * by name.
 */
export const issueOrders: Migration = {
  name: "0037_issue_orders",
  up: [
    `CREATE INDEX issue_newest ON issue (repository_id, id)`,
    `CREATE INDEX issue_updated ON issue (updated_at, id)`,
    `CREATE INDEX issue_repository_updated ON issue (repository_id, updated_at, id)`,
    `CREATE INDEX label_name ON label (name_key, id)`
  ]
}
