import type { Migration } from "../../../Migrations.ts"

/** Adds approval to workflow runs: whether it is needed, and the approver. Existing runs need none. */
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
