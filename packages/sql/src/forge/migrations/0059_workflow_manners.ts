import type { Migration } from "../../Migrations.ts"

/** Keeps of jobs of workflows how they go along with others; those that were there end nobody. */
export const workflowManners: Migration = {
  name: "0059_workflow_manners",
  up: [
    `ALTER TABLE workflow_job
      ADD fail_fast boolean NOT NULL DEFAULT false,
      ADD max_parallel bigint,
      ADD tolerant boolean NOT NULL DEFAULT false`
  ]
}
