import type { PageRequest } from "@slipway/domain"
import type { StateFilter } from "@slipway/domain/forge/automation"
import { downloadHeaders } from "@slipway/domain/forge/code"
import { numberIn } from "@slipway/domain/forge/entry"
import { Reruns, WorkflowRuns, Workflows } from "@slipway/forge/automation"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import {
  type statusFilters,
  workflowEndpoints,
  workflowJobEndpoints,
  workflowRunEndpoints
} from "../../../api/forge/automation/workflows.ts"
import { isYes } from "../../../api/forge/base/schemas.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { nonEmpty } from "../base/queries.ts"
import { linksOf } from "../code/repositoryLinks.ts"
import { handle, shown } from "../entry/handle.ts"
import { showJobsTo, showRunDetails, showRunsTo, showTasksTo, showWorkflowOf } from "./showWorkflows.ts"

type StatusFilter = (typeof statusFilters)[number]

const nothing: StateFilter = { statuses: [], conclusions: [] }

/** Maps the values of the query parameter `status` to filters by state and result. */
const states = {
  queued: { ...nothing, statuses: ["waiting"] },
  waiting: { ...nothing, statuses: ["blocked"] },
  pending: { ...nothing, statuses: ["blocked"] },
  requested: { ...nothing, statuses: ["blocked"] },
  action_required: { ...nothing, unapproved: true },
  in_progress: { ...nothing, statuses: ["running"] },
  completed: { ...nothing, statuses: ["done"] },
  success: { ...nothing, conclusions: ["success"] },
  failure: { ...nothing, conclusions: ["failure"] },
  cancelled: { ...nothing, conclusions: ["cancelled"] },
  timed_out: { ...nothing, conclusions: ["cancelled"] },
  skipped: { ...nothing, conclusions: ["skipped"] },
  neutral: { ...nothing, conclusions: ["skipped"] }
} as const satisfies Record<StatusFilter, StateFilter>

const stateIn = (words: ReadonlyArray<StatusFilter> | undefined): StateFilter | undefined =>
  words === undefined || words.length === 0
    ? undefined
    : {
        statuses: words.flatMap((word): StateFilter["statuses"] => states[word].statuses),
        conclusions: words.flatMap((word): StateFilter["conclusions"] => states[word].conclusions),
        ...(words.includes("action_required") ? { unapproved: true as const } : {})
      }

interface RunQuery {
  readonly event?: string
  readonly branch?: string
  readonly status?: ReadonlyArray<StatusFilter>
  readonly actor?: string
  readonly head_sha?: string
}

const searchOf = ({ actor, branch, event, head_sha, status }: RunQuery): WorkflowRuns.RunSearch => {
  const named = nonEmpty(branch)
  return {
    actor: nonEmpty(actor),
    event: nonEmpty(event),
    commit: nonEmpty(head_sha)?.toLowerCase(),
    ref: named === undefined || named.startsWith("refs/") ? named : `refs/heads/${named}`,
    state: stateIn(status)
  }
}

/** The handlers of the workflows of a repository. */
export const layerWorkflows = handle(
  workflowEndpoints,
  {
    "repository.actions.workflow.list": ({ page: { page, perPage }, proof }) =>
      Effect.map(Workflows.list(proof), (all) => ({
        rows: all.slice((page - 1) * perPage, page * perPage),
        total: all.length
      })),
    "repository.actions.workflow.read": ({ params, proof, query }) =>
      Workflows.read(proof, params.workflow_id, query.ref),
    "repository.actions.workflow.disable": ({ params, proof }) => Workflows.disable(proof, params.workflow_id),
    "repository.actions.workflow.enable": ({ params, proof }) => Workflows.enable(proof, params.workflow_id),
    "repository.actions.workflow.dispatch": Effect.fnUntraced(function* ({ body, params, proof, query }) {
      const run = yield* Workflows.dispatch(proof, params.workflow_id, body.ref, body.inputs ?? {})
      if (!isYes(query.return_run_details)) return HttpServerResponse.empty({ status: 204 })
      const links = linksOf(yield* PublicUrl, proof.resource.repository)
      return HttpServerResponse.jsonUnsafe(showRunDetails(links, run))
    })
  },
  { showTo: showWorkflowOf }
)

/** The handlers of the runs of workflows. */
export const layerWorkflowRuns = handle(
  workflowRunEndpoints,
  {
    "repository.actions.run.list": ({ page, proof, query }) => WorkflowRuns.list(proof, searchOf(query), page),
    "repository.actions.workflow.run.list": ({ page, params, proof, query }) =>
      WorkflowRuns.listOfWorkflow(proof, params.workflow_id, searchOf(query), page),
    "account.actions.run.list": ({ page, proof, query }) => WorkflowRuns.listOwn(proof, searchOf(query), page),
    "organization.actions.run.list": ({ page, proof, query }) =>
      WorkflowRuns.listOfOrganization(proof, searchOf(query), page),
    "admin.actions.run.list": ({ page, proof, query }) => WorkflowRuns.listAll(proof, searchOf(query), page),
    "repository.actions.run.read": ({ params, proof }) => WorkflowRuns.read(proof, numberIn(params.run)),
    "repository.actions.run.attempt.read": ({ params, proof }) =>
      WorkflowRuns.readAttempt(proof, numberIn(params.run), numberIn(params.attempt)),
    "repository.actions.run.delete": ({ params, proof }) => Reruns.remove(proof, numberIn(params.run)),
    "repository.actions.run.cancel": ({ params, proof }) => Reruns.cancel(proof, numberIn(params.run)),
    "repository.actions.run.approve": ({ params, proof }) => Reruns.approve(proof, numberIn(params.run)),
    "repository.actions.run.rerun": ({ params, proof }) => Reruns.rerun(proof, numberIn(params.run)),
    "repository.actions.run.rerun-failed-jobs": ({ params, proof }) => Reruns.rerunFailed(proof, numberIn(params.run))
  },
  { showAllTo: showRunsTo }
)

const logs = Effect.fnUntraced(function* (...asked: Parameters<typeof WorkflowRuns.log>) {
  const { job, text } = yield* WorkflowRuns.log(...asked)
  const context = yield* Effect.context<Stream.Services<typeof text>>()
  const { "content-type": _, ...headers } = downloadHeaders(`job-${job.id}.log`, "text/plain")
  const bytes = Stream.encodeText(Stream.provideContext(text, context))
  return HttpServerResponse.stream(bytes, { contentType: "text/plain; charset=utf-8", headers })
})

const tasks = Effect.fnUntraced(function* (proof: Parameters<typeof WorkflowRuns.tasks>[0], page: PageRequest) {
  const found = yield* WorkflowRuns.tasks(proof, page)
  return shown({ ...found, rows: yield* showTasksTo(proof.resource, found.rows) })
})

/** The handlers of the jobs of runs. */
export const layerWorkflowJobs = handle(
  workflowJobEndpoints,
  {
    "repository.actions.job.list": ({ page, proof, query }) => WorkflowRuns.jobs(proof, stateIn(query.status), page),
    "repository.actions.run.job.list": ({ page, params, proof, query }) =>
      WorkflowRuns.jobsOfRun(proof, numberIn(params.run), stateIn(query.status), page),
    "repository.actions.run.attempt.job.list": ({ page, params, proof, query }) =>
      WorkflowRuns.jobsOfAttempt(proof, numberIn(params.run), numberIn(params.attempt), stateIn(query.status), page),
    "account.actions.job.list": ({ page, proof, query }) => WorkflowRuns.ownJobs(proof, stateIn(query.status), page),
    "organization.actions.job.list": ({ page, proof, query }) =>
      WorkflowRuns.jobsOfOrganization(proof, stateIn(query.status), page),
    "admin.actions.job.list": ({ page, proof, query }) => WorkflowRuns.allJobs(proof, stateIn(query.status), page),
    "repository.actions.job.read": ({ params, proof }) => WorkflowRuns.readJob(proof, numberIn(params.job_id)),
    "repository.actions.run.job.rerun": ({ params, proof }) =>
      Reruns.rerunJob(proof, numberIn(params.run), numberIn(params.job_id)),
    "repository.actions.job.logs": ({ params, proof, query }) => logs(proof, numberIn(params.job_id), query.from),
    "repository.actions.task.list": ({ page, proof }) => tasks(proof, page)
  },
  { showAllTo: showJobsTo }
)
