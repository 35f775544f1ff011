import { inputTypes } from "@slipway/domain/forge/automation"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { create, done, endpoints, list, raw, read, remove } from "../base/endpoints.ts"
import { ConflictBody } from "../base/errors.ts"
import { Moment, optionalNullable, QueryFlag, QueryNumber, Repository, text, User } from "../base/schemas.ts"

const MaybeMoment = Schema.NullOr(Moment)
const Status = Schema.Literals(["queued", "waiting", "in_progress", "completed"])
const Conclusion = Schema.NullOr(Schema.Literals(["success", "failure", "cancelled", "skipped"])).annotate({
  description: "The result; `null` until completion."
})

/** A workflow of a repository as returned by the API. */
export const ActionWorkflow = Schema.Struct({
  id: Schema.String.annotate({ description: "Its file name." }),
  name: Schema.String,
  path: Schema.String,
  state: Schema.Literals(["active", "disabled_manually"]),
  created_at: Moment.annotate({ description: "The creation time of its repository." }),
  updated_at: Moment.annotate({ description: "The last change of its repository." }),
  url: Schema.String,
  html_url: Schema.String.annotate({ description: "The address of its file." }),
  badge_url: Schema.String.annotate({ description: "The address of an image with the result of its newest run." }),
  dispatch_inputs: Schema.NullOr(
    Schema.Array(
      Schema.Struct({
        name: Schema.String,
        type: Schema.Literals(inputTypes),
        description: Schema.String,
        required: Schema.Boolean,
        default: Schema.String,
        options: Schema.Array(Schema.String).annotate({ description: "Of an input of the type `choice`." })
      })
    )
  ).annotate({ description: "The inputs of a manual start; null if the workflow cannot be started manually." })
}).annotate({ identifier: "ActionWorkflow" })

/** A run of a workflow as returned by the API. */
export const ActionWorkflowRun = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  html_url: Schema.String.annotate({ description: "The address of the run's page." }),
  display_title: Schema.String,
  path: Schema.String.annotate({ description: "The workflow's file and the ref, separated by `@`." }),
  event: Schema.String,
  run_number: Schema.Int.annotate({ description: "The number of the run within its repository." }),
  run_attempt: Schema.Int,
  status: Status,
  conclusion: Conclusion,
  need_approval: Schema.Boolean.annotate({
    description: "Whether it waits for the approval of a user with write access to the repository's actions."
  }),
  head_branch: Schema.String,
  head_sha: Schema.String,
  created_at: Moment,
  started_at: MaybeMoment,
  completed_at: MaybeMoment,
  actor: User,
  trigger_actor: User,
  repository_id: Schema.Int,
  repository: Repository,
  head_repository: Repository
}).annotate({ identifier: "ActionWorkflowRun" })

/** A step of a job as returned by the API. */
export const ActionWorkflowStep = Schema.Struct({
  name: Schema.String,
  number: Schema.Int,
  status: Status,
  conclusion: Conclusion,
  started_at: MaybeMoment,
  completed_at: MaybeMoment
}).annotate({ identifier: "ActionWorkflowStep" })

/** A job of a run as returned by the API. */
export const ActionWorkflowJob = Schema.Struct({
  id: Schema.Int,
  url: Schema.String,
  html_url: Schema.String.annotate({ description: "The address of the job's page." }),
  run_id: Schema.Int,
  run_url: Schema.String,
  run_attempt: Schema.Int,
  name: Schema.String,
  labels: Schema.Array(Schema.String),
  head_branch: Schema.String,
  head_sha: Schema.String,
  status: Status,
  conclusion: Conclusion,
  created_at: Moment,
  started_at: MaybeMoment,
  completed_at: MaybeMoment,
  runner_id: Schema.Int.annotate({ description: "0 where no runner has it, or the runner is gone." }),
  runner_name: Schema.String,
  steps: Schema.Array(ActionWorkflowStep)
}).annotate({ identifier: "ActionWorkflowJob" })

/** A job taken by a runner as returned by the API. */
export const ActionTask = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  head_branch: Schema.String,
  head_sha: Schema.String,
  run_number: Schema.Int,
  event: Schema.String,
  display_title: Schema.String,
  status: Schema.Literals(["running", "success", "failure", "cancelled", "skipped"]),
  workflow_id: Schema.String,
  url: Schema.String,
  created_at: Moment,
  updated_at: Moment,
  run_started_at: MaybeMoment
}).annotate({ identifier: "ActionTask" })

/** The request body that starts a workflow manually. */
export const CreateActionWorkflowDispatch = Schema.Struct({
  ref: text(1_024).annotate({ description: "The branch or tag, by its name or as a ref." }),
  inputs: optionalNullable(Schema.Record(text(255), text(65_536)))
}).annotate({ identifier: "CreateActionWorkflowDispatch" })

/** The run that a dispatch started. */
export const RunDetails = Schema.Struct({
  workflow_run_id: Schema.Int,
  run_url: Schema.String.annotate({ description: "The address of the run in the API." }),
  html_url: Schema.String.annotate({ description: "The address of the run's page." })
}).annotate({ identifier: "RunDetails" })

/** The states that filter lists of runs and jobs. */
export const statusFilters = [
  "queued",
  "waiting",
  "pending",
  "requested",
  "action_required",
  "in_progress",
  "completed",
  "success",
  "failure",
  "cancelled",
  "timed_out",
  "skipped",
  "neutral"
] as const

const status = Schema.optionalKey(Schema.Array(Schema.Literals(statusFilters))).annotate({
  description: "A status or a conclusion; repeated parameters are combined with OR."
})

const runFilters = {
  event: Schema.optionalKey(text(50)),
  branch: Schema.optionalKey(text(1_024)),
  status,
  actor: Schema.optionalKey(text(255)).annotate({ description: "The name of the triggering user." }),
  head_sha: Schema.optionalKey(text(64))
}

const runs = list(ActionWorkflowRun, { field: "workflow_runs", counted: true, query: runFilters })
const jobs = list(ActionWorkflowJob, { field: "jobs", counted: true, query: { status } })

/** The endpoints of the workflows of a repository. */
export const workflowEndpoints = endpoints("workflows", "Workflows, which run when events happen in a repository.", {
  "repository.actions.workflow.list": list(ActionWorkflow, { field: "workflows", counted: true }),
  "repository.actions.workflow.read": read(ActionWorkflow, {
    query: {
      ref: Schema.optionalKey(text(300)).annotate({
        description: "The branch, tag or commit with the file; the default branch if omitted."
      })
    }
  }),
  "repository.actions.workflow.disable": done(),
  "repository.actions.workflow.enable": done(),
  "repository.actions.workflow.dispatch": raw({
    body: CreateActionWorkflowDispatch,
    largest: 262_144,
    query: {
      return_run_details: Schema.optionalKey(QueryFlag).annotate({
        description: "Whether the response is 200 with the run instead of 204."
      })
    },
    answer: RunDetails,
    others: [HttpApiSchema.Empty(204)]
  })
})

/** The endpoints of the runs of workflows. */
export const workflowRunEndpoints = endpoints("workflow-runs", "Runs of workflows, finished and in progress.", {
  "repository.actions.run.list": runs,
  "repository.actions.workflow.run.list": runs,
  "account.actions.run.list": runs,
  "organization.actions.run.list": runs,
  "admin.actions.run.list": runs,
  "repository.actions.run.read": read(ActionWorkflowRun),
  "repository.actions.run.attempt.read": read(ActionWorkflowRun),
  "repository.actions.run.delete": remove(),
  "repository.actions.run.cancel": done({ errors: [ConflictBody] }),
  "repository.actions.run.approve": done({ errors: [ConflictBody] }),
  "repository.actions.run.rerun": create(ActionWorkflowRun, { errors: [ConflictBody] }),
  "repository.actions.run.rerun-failed-jobs": create(ActionWorkflowRun, { errors: [ConflictBody] })
})

/** The endpoints of the jobs of runs. */
export const workflowJobEndpoints = endpoints("workflow-jobs", "The jobs of runs, which runners execute.", {
  "repository.actions.job.list": jobs,
  "repository.actions.run.job.list": jobs,
  "repository.actions.run.attempt.job.list": jobs,
  "account.actions.job.list": jobs,
  "organization.actions.job.list": jobs,
  "admin.actions.job.list": jobs,
  "repository.actions.job.read": read(ActionWorkflowJob),
  "repository.actions.run.job.rerun": create(ActionWorkflowJob, { errors: [ConflictBody] }),
  "repository.actions.job.logs": raw({
    contentType: "text/plain",
    query: {
      from: Schema.optionalKey(
        QueryNumber.annotate({ description: "The first line, counted from 1; earlier lines are omitted." })
      )
    }
  }),
  "repository.actions.task.list": list(ActionTask, { field: "workflow_runs", counted: true })
})
