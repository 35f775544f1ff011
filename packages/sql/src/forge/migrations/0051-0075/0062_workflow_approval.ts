import type { Migration } from "../../../Migrations.ts"

/** Adds to workflow runs whether they need an approval, and who approved them. Existing runs need none. */
export const workflowApproval: Migration = {
  name: "0062_workflow_approval",
  up: [
    `ALTER TABLE workflow_run
      ADD needs_approval boolean NOT NULL DEFAULT false,
      ADD approver_id bigint REFERENCES account (id) ON DELETE SET NULL`,
    `CREATE INDEX ON workflow_run (repository_id, needs_approval, id)`,
    `CREATE INDEX ON workflow_run (approver_id)`
  ]
}
