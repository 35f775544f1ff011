import type { Migration } from "../../../Migrations.ts"

/** Keeps which runs wait to be approved, and who approved them; those that were there wait for nobody. */
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
