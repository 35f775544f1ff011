import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"
import type { OwnerId } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The schema of the id of a run, which is unique on the site. */
export const WorkflowRunId = Schema.Int.pipe(Schema.brand("WorkflowRunId"))
export type WorkflowRunId = typeof WorkflowRunId.Type

/** The status of runs and jobs: blocked ones wait for other jobs, waiting ones for a runner. */
export const workStatuses = ["blocked", "waiting", "running", "done"] as const
export type WorkStatus = (typeof workStatuses)[number]

/** The conclusions of runs and jobs. */
export const workConclusions = ["success", "failure", "cancelled", "skipped"] as const
export type WorkConclusion = (typeof workConclusions)[number]

/** The events that start runs. */
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
  /** The owner of the repository; users and organizations share one sequence of ids. */
  readonly ownerId: OwnerId
  /** The number of the run in the repository. */
  readonly number: number
  /** The display name of the workflow: its file name by default. */
  readonly name: string
  /** The name of the workflow's file, such as `ci.yml`. */
  readonly workflow: string
  /** The path of that file in the repository. */
  readonly path: string
  readonly title: string
  readonly event: WorkflowEvent
  /** The full ref of the event, such as `refs/heads/main` or `refs/pull/7/head`. */
  readonly ref: string
  readonly commit: ObjectId
  readonly actorId: UserId | null
  /** Whether its jobs receive secrets and a token with write access; false for pull requests from forks. */
  readonly trusted: boolean
  /** Whether its jobs wait for approval; it stays true if the run ends before (invariant I21). */
  readonly needsApproval: boolean
  /** The user who approved it. */
  readonly approverId: UserId | null
  /** The number of preceding runs in its chain of `workflow_run` triggers. */
  readonly depth: number
  /** Its concurrency group in the repository, which runs one run or job at a time. */
  readonly group: string | null
  /** Whether it cancels the running run of its group. */
  readonly cancels: boolean
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
  /** The number of the attempt, from 1. */
  readonly attempt: number
  readonly createdAt: string
  readonly startedAt: string | null
  readonly stoppedAt: string | null
}

/** The cause of a run; a cause starts each workflow only once. */
export interface WorkflowCause {
  readonly cause: string
}

/** The workflow runs of repositories, newest first. */
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

/** The turn of a run or job in its concurrency group: running or waiting. */
export interface WorkflowTurn {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly group: string
  readonly runId: WorkflowRunId
  /** The position of the job in its run; null for the entire run. */
  readonly slot: number | null
  readonly cancels: boolean
  /** The group if the turn is running, otherwise null. It is unique, so that one turn of a group runs at a time. */
  readonly holds: string | null
}

/** The turns in the concurrency groups of repositories, in the order of their requests. */
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

/** The source of a run, which is read when its jobs are assigned; lists of runs omit it. */
export interface WorkflowSource {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly runId: WorkflowRunId
  /** The complete workflow as JSON. */
  readonly workflow: string
  /** The called workflows as JSON, by path. */
  readonly called: string
  /** The event as JSON. */
  readonly payload: string
}

/** Stores the workflow source of each run; a run has at most one. */
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

/** The disabled workflows of repositories. */
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
  /** The IANA time zone in which the schedule is read. */
  readonly timezone: string
  readonly dueAt: string
}

/** The schedules of the workflows on the default branches of repositories, the next due one first. */
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

/** Reports that the run does not exist. */
export class WorkflowRunNotFound extends Schema.TaggedError<WorkflowRunNotFound>()("WorkflowRunNotFound", {
  id: Schema.Number
}) {}
