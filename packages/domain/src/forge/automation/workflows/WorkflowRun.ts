import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"
import type { OwnerId } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The schema of the id of a workflow run, which is unique on the site. */
export const WorkflowRunId = Schema.Int.pipe(Schema.brand("WorkflowRunId"))
export type WorkflowRunId = typeof WorkflowRunId.Type

/** The statuses of workflow runs and jobs: `blocked` waits for other jobs, and `waiting` waits for a runner. */
export const workStatuses = ["blocked", "waiting", "running", "done"] as const
export type WorkStatus = (typeof workStatuses)[number]

/** The possible results of ended workflow runs and jobs. */
export const workConclusions = ["success", "failure", "cancelled", "skipped"] as const
export type WorkConclusion = (typeof workConclusions)[number]

/** The events that can start workflow runs. */
export const workflowEvents = [
  "push",
  "pull_request",
  "pull_request_target",
  "issues",
  "issue_comment",
  "release",
  "create",
  "delete",
  "workflow_dispatch",
  "schedule",
  "workflow_run"
] as const
export type WorkflowEvent = (typeof workflowEvents)[number]

/** One run of a workflow, triggered by an event, with its jobs. */
export interface WorkflowRun {
  readonly id: WorkflowRunId
  readonly repositoryId: RepositoryId
  /** The id of the owner of the repository: a user or an organization, which have different ids. */
  readonly ownerId: OwnerId
  /** The number of the run in the repository. */
  readonly number: number
  /** The display name of the workflow; by default, the name of its file. */
  readonly name: string
  /** The name of the workflow's file, such as `ci.yml`. */
  readonly workflow: string
  /** The path of the workflow's file in the repository. */
  readonly path: string
  readonly title: string
  readonly event: WorkflowEvent
  /** The full ref of the event, such as `refs/heads/main` or `refs/pull/7/head`. */
  readonly ref: string
  readonly commit: ObjectId
  readonly actorId: UserId | null
  /** Whether the jobs receive secrets and a token with write access; false for pull requests from forks. */
  readonly trusted: boolean
  /** Whether the jobs wait for a user's approval; it stays true if the run ends before an approval (invariant I21). */
  readonly needsApproval: boolean
  /** The user who approved the run; null without an approval. */
  readonly approverId: UserId | null
  /** The number of runs before this one in a chain of runs that triggered each other with `workflow_run`. */
  readonly depth: number
  /** The name of the run's concurrency group, in which one run or job of the repository runs at a time; or null. */
  readonly group: string | null
  /** Whether the run cancels the running run of its concurrency group. */
  readonly cancels: boolean
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
  /** The number of the latest attempt, from 1; each rerun is an attempt. */
  readonly attempt: number
  readonly createdAt: string
  readonly startedAt: string | null
  readonly stoppedAt: string | null
}

/** The unique key of the event that started a run. A retried event with the same key does not start the run again. */
export interface WorkflowCause {
  readonly cause: string
}

/** The table of workflow runs, newest first. */
export const workflowRuns = owned<WorkflowRun, WorkflowCause>()("workflowRun", {
  within: ["repositoryId"],
  numbered: "number",
  fields: {
    repositoryId: Fields.reference("repository"),
    ownerId: Fields.integer(),
    number: Fields.integer(),
    name: Fields.text(),
    workflow: Fields.text(),
    path: Fields.text(),
    title: Fields.text(),
    event: Fields.oneOf(...workflowEvents),
    ref: Fields.text(),
    commit: Fields.text(),
    actorId: Fields.looseReference("user"),
    trusted: Fields.boolean(),
    needsApproval: Fields.boolean(),
    approverId: Fields.looseReference("user"),
    depth: Fields.integer(),
    group: Fields.nullable(Fields.text()),
    cancels: Fields.boolean(),
    status: Fields.oneOf(...workStatuses),
    conclusion: Fields.nullable(Fields.oneOf(...workConclusions)),
    attempt: Fields.integer(),
    createdAt: Fields.time(),
    startedAt: Fields.nullable(Fields.time()),
    stoppedAt: Fields.nullable(Fields.time())
  },
  hidden: { cause: Fields.text() },
  orders: { newest: descending() },
  unique: { cause: ["repositoryId", "cause"] },
  filters: [
    "workflow",
    "event",
    "ref",
    "commit",
    "actorId",
    "needsApproval",
    "status",
    "conclusion",
    "ownerId",
    "createdAt"
  ]
})

/** The turn of a run or job in its concurrency group: it has the group (runs), or waits for it. */
export interface WorkflowTurn {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly group: string
  readonly runId: WorkflowRunId
  /** The `slot` of the job in its run; null if the turn is for the entire run. */
  readonly slot: number | null
  readonly cancels: boolean
  /** The group's name while the turn has the group, else null; a unique constraint permits one such turn per group. */
  readonly holds: string | null
}

/** The table of turns in concurrency groups, in the order in which they were requested. */
export const workflowTurns = owned<WorkflowTurn>()("workflowTurn", {
  within: ["repositoryId", "runId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    group: Fields.text(),
    runId: Fields.reference("workflowRun"),
    slot: Fields.nullable(Fields.integer()),
    cancels: Fields.boolean(),
    holds: Fields.nullable(Fields.text())
  },
  unique: { holder: ["repositoryId", "holds"] },
  filters: ["group"]
})

/**
 * The workflow and the event of a run. This data is large, so it is stored apart from the run and read only for jobs.
 */
export interface WorkflowSource {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly runId: WorkflowRunId
  /** The parsed workflow file as JSON. */
  readonly workflow: string
  /** The reusable workflows that the run calls, by path, as JSON. */
  readonly called: string
  /** The payload of the event that started the run, as JSON. */
  readonly payload: string
}

/** The table of workflow sources; a run has at most one source. */
export const workflowSources = owned<WorkflowSource>()("workflowSource", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    runId: Fields.reference("workflowRun"),
    workflow: Fields.text(),
    called: Fields.text(),
    payload: Fields.text()
  },
  unique: { run: ["runId"] }
})

/** A disabled workflow of a repository, which starts no runs. */
export interface WorkflowSwitch {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly workflow: string
  readonly createdAt: string
}

/** The table of disabled workflows of repositories. */
export const workflowSwitches = owned<WorkflowSwitch>()("workflowSwitch", {
  within: ["repositoryId"],
  fields: { repositoryId: Fields.reference("repository"), workflow: Fields.text(), createdAt: Fields.time() },
  unique: { workflow: ["repositoryId", "workflow"] }
})

/** The next scheduled start of a workflow of a repository. */
export interface WorkflowSchedule {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly workflow: string
  /** The cron expression. */
  readonly schedule: string
  /** The IANA time zone of the cron expression, such as `Europe/Paris`. */
  readonly timezone: string
  readonly dueAt: string
}

/** The table of workflow schedules, from the workflow files on default branches; the next due schedule comes first. */
export const workflowSchedules = owned<WorkflowSchedule>()("workflowSchedule", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    workflow: Fields.text(),
    schedule: Fields.text(),
    timezone: Fields.text(),
    dueAt: Fields.time()
  },
  orders: { due: ascending("dueAt") },
  filters: ["dueAt"]
})

/** Reports that the workflow run does not exist. */
export class WorkflowRunNotFound extends Schema.TaggedError<WorkflowRunNotFound>()("WorkflowRunNotFound", {
  id: Schema.Number
}) {}
