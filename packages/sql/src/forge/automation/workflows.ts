import {
  type JobFilter,
  type PlacedJob,
  type RunFilter,
  type StateFilter,
  type WorkflowJob,
  type WorkflowRun,
  type WorkflowScope,
  WorkflowSearch,
  workflowJobs,
  workflowRuns
} from "@slipway/domain/forge/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { lookup } from "../../collection/collection.ts"
import { ownedTable } from "../../owned/table.ts"
import { orDieSql } from "../../SqlErrors.ts"
import { anyOf, countedPage, type Order } from "../base/pages.ts"
import type { Reader } from "../base/rows.ts"
import { joinReading } from "../code/seenRepositories.ts"
import { userParameter } from "../identity/accounts.ts"
import { idParameter } from "../identity/units.ts"

const runTable = ownedTable(workflowRuns)
const jobTable = ownedTable(workflowJobs)

// BOUNDARY: a declaration says of its table what its rows are.
const runs: Reader<WorkflowRun> = {
  width: runTable.width,
  of: runTable.expressions,
  read: (values, at = 0) => (values[at] === null ? undefined : (runTable.read(values, at) as unknown as WorkflowRun))
}

const jobs: Reader<PlacedJob> = {
  width: jobTable.width + runTable.width,
  of: (alias) => `${jobTable.expressions(alias)}, ${runTable.expressions("of_run")}`,
  read: (values, at = 0) => {
    const run = runs.read(values, at + jobTable.width)
    if (values[at] === null || run === undefined) return undefined
    return { job: jobTable.read(values, at) as unknown as WorkflowJob, run }
  }
}

const words = (sql: SqlClient, values: ReadonlyArray<string>): Fragment => sql`${[...values]}::text[]`

const optionalCondition = <A>(value: A | undefined, condition: (value: A) => Fragment): ReadonlyArray<Fragment> =>
  value === undefined ? [] : [condition(value)]

/** Returns the SQL condition that a row has one of some states. The few unfinished rows have a separate index. */
const inState = (sql: SqlClient, table: Fragment, { conclusions, statuses }: StateFilter): Fragment => {
  const status = sql`${table}.status = ANY(${words(sql, statuses)})`
  if (conclusions.length === 0) return statuses.includes("done") ? status : sql`${status} AND ${table}.status <> 'done'`
  const conclusion = sql`${table}.conclusion = ANY(${words(sql, conclusions)})`
  return statuses.length === 0 ? conclusion : sql`(${status} OR ${conclusion})`
}

/**
 * Returns the SQL condition that a run has one of some states. Runs that wait for approval count as unfinished, and
 * unfinished runs have a separate index.
 */
const runInState = (sql: SqlClient, { unapproved, ...state }: StateFilter): Fragment => {
  const table = sql.literal("workflow_run")
  if (unapproved !== true) return inState(sql, table, state)
  const waits = sql`(workflow_run.status = 'blocked' AND workflow_run.needs_approval)`
  return state.statuses.length + state.conclusions.length === 0
    ? waits
    : sql`(${waits} OR ${inState(sql, table, state)})`
}

/** Returns the SQL source of the rows of a table within a scope (such as a repository or an owner), newest first. */
const sourceIn = (sql: SqlClient, name: "workflow_job" | "workflow_run", scope: WorkflowScope) => {
  const table = sql.literal(name)
  const order = (lead?: string): Order => ({ by: [[`${name}.id`, "bigint"]], descending: true, lead })
  if ("repositoryId" in scope) {
    const where = sql`${table}.repository_id = ${anyOf(sql, idParameter(scope.repositoryId))}`
    return { from: table, where, order: order(`${name}.repository_id`) }
  }
  const { join, reads } = joinReading(sql, scope.viewer, `${name}.repository_id`)
  const rule = reads("repo.actions").sql
  const { ownerId } = scope
  return ownerId === undefined
    ? { from: sql`${table} ${join}`, where: rule, order: order() }
    : {
        from: sql`${table} ${join}`,
        where: sql`${table}.owner_id = ${anyOf(sql, idParameter(ownerId))} AND ${rule}`,
        order: order(`${name}.owner_id`)
      }
}

const runConditions = (sql: SqlClient, filter: RunFilter): ReadonlyArray<Fragment> => [
  ...optionalCondition(filter.workflow, (name) => sql`workflow_run.workflow = ${lookup(name)}::text`),
  ...optionalCondition(filter.event, (event) => sql`workflow_run.event = ${lookup(event)}::text`),
  ...optionalCondition(filter.ref, (ref) => sql`workflow_run.ref = ${lookup(ref)}::text`),
  ...optionalCondition(filter.commit, (commit) => sql`workflow_run."commit" = ${lookup(commit)}::text`),
  ...optionalCondition(filter.actorId, (id) => sql`workflow_run.actor_id = ${userParameter(id)}::bigint`),
  ...optionalCondition(filter.state, (state) => runInState(sql, state))
]

/**
 * Returns the SQL source of a list of jobs. The jobs of one run are sorted by creation; other lists show the newest
 * first.
 */
const jobsIn = (sql: SqlClient, scope: WorkflowScope, { runId }: JobFilter) => {
  const source = sourceIn(sql, "workflow_job", scope)
  if (runId === undefined) return source
  const order: Order = { by: [["workflow_job.id", "bigint"]], lead: "workflow_job.run_id" }
  const isOfRun = sql`workflow_job.run_id = ${anyOf(sql, idParameter(runId))}`
  return { ...source, where: sql`${source.where} AND ${isOfRun}`, order }
}

const jobConditions = (sql: SqlClient, filter: JobFilter): ReadonlyArray<Fragment> => [
  ...optionalCondition(filter.latest, (latest) => sql`workflow_job.latest = ${latest}`),
  ...optionalCondition(filter.givenOut, () => sql`workflow_job.calls = ''`),
  ...optionalCondition(filter.state, (state) => inState(sql, sql.literal("workflow_job"), state))
]

/** Lists the runs of workflows and their jobs in PostgreSQL. */
export const layerWorkflowSearch = Layer.effect(
  WorkflowSearch,
  Effect.map(SqlClient, (sql) => ({
    runs: (scope, filter, page) => {
      const { from, order, where } = sourceIn(sql, "workflow_run", scope)
      const conditions = runConditions(sql, filter)
      return countedPage(
        sql,
        runs,
        {
          table: "workflow_run",
          id: "workflow_run.id",
          from,
          where: sql.and([where, ...conditions]),
          order,
          // The best plan depends on how many runs match.
          planned: conditions.length > 0
        },
        page
      )
    },
    jobs: (scope, filter, page) => {
      const { from, order, where } = jobsIn(sql, scope, filter)
      const conditions = jobConditions(sql, filter)
      return countedPage(
        sql,
        jobs,
        {
          table: "workflow_job",
          id: "workflow_job.id",
          from,
          where: sql.and([where, ...conditions]),
          order,
          join: sql`LEFT JOIN workflow_run of_run ON of_run.id = page.run_id`,
          planned: conditions.length > 0
        },
        page
      )
    },
    follow: (repositoryId, ownerId) =>
      orDieSql(
        sql`
          WITH runs AS (
            UPDATE workflow_run SET owner_id = ${idParameter(ownerId)} WHERE repository_id = ${idParameter(repositoryId)}
          )
          UPDATE workflow_job SET owner_id = ${idParameter(ownerId)} WHERE repository_id = ${idParameter(repositoryId)}`.pipe(
          Effect.asVoid
        )
      )
  }))
)
