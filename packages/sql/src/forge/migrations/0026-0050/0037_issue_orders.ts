import type { Migration } from "../../../Migrations.ts"

/** Adds indexes for the common orders of issue lists (of the site and of a repository), and for labels by name. */
export const issueOrders: Migration = {
  name: "0037_issue_orders",
  up: [
    `CREATE INDEX issue_newest ON issue (repository_id, id)`,
    `CREATE INDEX issue_updated ON issue (updated_at, id)`,
    `CREATE INDEX issue_repository_updated ON issue (repository_id, updated_at, id)`,
    `CREATE INDEX label_name ON label (name_key, id)`
  ]
}
