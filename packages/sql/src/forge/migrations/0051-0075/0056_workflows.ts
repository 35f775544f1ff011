import { Fields } from "@slipway/domain"
import {
  workflowEvents,
  workflowJobs,
  workflowLogs,
  workflowRuns,
  workflowSchedules,
  workflowSources,
  workflowSwitches
} from "@slipway/domain/forge/automation"
import type { Migration } from "../../../Migrations.ts"
import { createTable } from "../../../owned/createTable.ts"

// The original columns: 0059 adds concurrency and calls.
const {
  calls: _calls,
  caller: _caller,
  cancels: _ends,
  failFast: _fast,
  group: _of,
  ...jobFields
} = workflowJobs.fields
const { maxParallel: _most, open: _open, tolerant: _tolerant, ...fieldsOfJobs } = jobFields
const {
  approverId: _approver,
  cancels: _endsRuns,
  depth: _depth,
  group: _ofRuns,
  needsApproval: _unapproved,
  ...laterFieldsOfRuns
} = workflowRuns.fields
const eventsThen = workflowEvents.filter((event) => event !== "workflow_run")
const fieldsOfRuns = { ...laterFieldsOfRuns, event: Fields.oneOf(...eventsThen) }
const { called: _called, ...fieldsOfSources } = workflowSources.fields
const filtersOfRuns = workflowRuns.filters.filter((field) => field !== "needsApproval")
const runs = { ...workflowRuns, fields: fieldsOfRuns, filters: filtersOfRuns }
const sources = { ...workflowSources, fields: fieldsOfSources }
const { timezone: _timezone, ...fieldsOfSchedules } = workflowSchedules.fields
const schedules = { ...workflowSchedules, fields: fieldsOfSchedules }
const jobs = { ...workflowJobs, fields: fieldsOfJobs }

/**
 * Creates the tables of workflow runs and jobs. Adds indexes for the lists of owners and of the whole site, and for the
 * job queue.
 */
export const workflows: Migration = {
  name: "0056_workflows",
  up: [
    ...[runs, sources, workflowSwitches, schedules, jobs, workflowLogs].flatMap(createTable),
    ...["workflow_run", "workflow_job"].flatMap((table) => [
      `ALTER TABLE ${table} ALTER repository_id SET (n_distinct = 100), ALTER owner_id SET (n_distinct = 100)`,
      ...["owner_id", "status", "conclusion", "owner_id, status", "owner_id, conclusion"].map(
        (columns) => `CREATE INDEX ON ${table} (${columns}, id)`
      ),
      `CREATE INDEX ON ${table} (created_at)`
    ]),
    ...["commit", "actor_id", "event", "ref", "owner_id, event", "owner_id, ref"].map(
      (columns) => `CREATE INDEX ON workflow_run (${columns}, id)`
    ),
    `CREATE INDEX workflow_job_alive ON workflow_job (alive_at) WHERE status = 'running'`,
    `CREATE INDEX workflow_schedule_due ON workflow_schedule (due_at)`
  ]
}
