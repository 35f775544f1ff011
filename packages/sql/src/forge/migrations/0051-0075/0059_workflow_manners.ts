import { workflowTurns } from "@slipway/domain/forge/automation"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

/** Adds concurrency groups, matrix limits and workflow calls to runs and jobs. Existing runs cancel no other run. */
export const workflowManners: Migration = {
  name: "0059_workflow_manners",
  up: [
    `ALTER TABLE workflow_run
      ADD "group" text,
      ADD cancels boolean NOT NULL DEFAULT false`,
    `ALTER TABLE workflow_source ADD called text NOT NULL DEFAULT '{}'`,
    `ALTER TABLE workflow_job
      ADD caller bigint,
      ADD calls text NOT NULL DEFAULT '',
      ADD fail_fast boolean NOT NULL DEFAULT false,
      ADD max_parallel bigint,
      ADD tolerant boolean NOT NULL DEFAULT false,
      ADD "group" text,
      ADD cancels boolean NOT NULL DEFAULT false`,
    ...createTable(workflowTurns)
  ]
}
