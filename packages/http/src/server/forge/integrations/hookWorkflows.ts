import { type WorkflowJob, type WorkflowRun, workflowSwitches } from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import type { WorkChange } from "@slipway/domain/forge/events"
import { type NewEvent, UserStore } from "@slipway/domain/forge/identity"
import type { Occurrence } from "@slipway/domain/forge/integrations"
import { runActions } from "@slipway/forge/automation"
import { Effect } from "effect"
import { showJob, showRun, showWorkflow, statuses } from "../automation/showWorkflows.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { linksOf, type RepositoryLinks } from "../code/repositoryLinks.ts"
import { messageAt, type PayloadContext, payloadContextOf } from "./hookParts.ts"

/** Finds the user who caused a run; null for a scheduled run or a deleted user. */
const causeOf = Effect.fnUntraced(function* ({ actorId }: WorkflowRun) {
  const user = actorId === null ? undefined : yield* (yield* UserStore).find(actorId)
  return user === undefined ? null : ({ id: user.id, name: user.name } satisfies NewEvent["actor"])
})

/** Returns the workflow part of a webhook payload, from the stored fields of a run. */
const workflowPart = Effect.fnUntraced(function* (links: RepositoryLinks, repository: Repository, run: WorkflowRun) {
  const { name, path, workflow: file } = run
  const off = yield* (yield* workflowSwitches.store).findBy("workflow", { repositoryId: repository.id, workflow: file })
  return showWorkflow(links, repository, { disabled: off !== undefined, file, name, path })
})

const ended = (action: string, { conclusion }: Pick<WorkflowRun, "conclusion">): string =>
  conclusion === null ? action : `${action}: ${conclusion}`

const runPayload = Effect.fnUntraced(function* (place: PayloadContext, links: RepositoryLinks, run: WorkflowRun) {
  const { repository: shown, sender } = place.parts
  const action = runActions[run.status]
  const workflow_run = showRun(links, run, sender, shown)
  return {
    event: "workflow_run",
    branch: undefined,
    payload: { action, workflow: yield* workflowPart(links, place.repository, run), workflow_run, ...place.parts },
    message: messageAt(place, `workflow ${run.name} #${run.number} ${ended(action, run)}`, workflow_run.html_url, [
      run.title
    ])
  } satisfies Occurrence
})

const jobPayload = (place: PayloadContext, links: RepositoryLinks, run: WorkflowRun, job: WorkflowJob): Occurrence => {
  const action = statuses[job.status]
  const workflow_job = showJob(links, { job, run })
  const title = `job ${job.name} of ${run.name} #${run.number} ${ended(action, job)}`
  return {
    event: "workflow_job",
    branch: undefined,
    payload: { action, workflow_job, ...place.parts },
    message: messageAt(place, title, workflow_job.html_url)
  }
}

/**
 * Builds the webhook payloads for a changed workflow run and its changed jobs.
 *
 * The payload of the run comes first; if the run has ended, it comes after the payloads of its jobs.
 */
export const ofWork = Effect.fnUntraced(function* (repository: Repository, { jobs, moved, run }: WorkChange) {
  const place = yield* payloadContextOf(repository, yield* causeOf(run))
  const links = linksOf(yield* PublicUrl, repository)
  const ofRun = moved ? [yield* runPayload(place, links, run)] : []
  const ofJobs = jobs.map((job) => jobPayload(place, links, run, job))
  return run.status === "done" ? [...ofJobs, ...ofRun] : [...ofRun, ...ofJobs]
})
