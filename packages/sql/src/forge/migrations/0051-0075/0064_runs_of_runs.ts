import type { Migration } from "../../../Migrations.ts"

const events =
  "'push', 'pull_request', 'pull_request_target', 'issues', 'issue_comment', 'release', 'create', 'delete', 'workflow_dispatch', 'schedule', 'workflow_run'"

/**
 * Allows the trigger `workflow_run` (a run that starts after another run), and adds to runs the depth of this chain.
 */
export const runsOfRuns: Migration = {
  name: "0064_runs_of_runs",
  up: [
    `ALTER TABLE workflow_run
      DROP CONSTRAINT workflow_run_event_check,
      ADD CHECK (event IN (${events})),
      ADD depth bigint NOT NULL DEFAULT 0`
  ]
}
