import { now } from "@slipway/domain"
import type { WorkConclusion, WorkflowJob, WorkflowRun } from "@slipway/domain/forge/automation"
import { cutText } from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import type { CommitState } from "@slipway/domain/forge/collaboration"
import { Effect } from "effect"
import { queueStatusHooks } from "../../base/events/queueHookEvents.ts"
import { insertStatuses } from "../../collaboration/statuses/Statuses.ts"

const states: Readonly<Record<WorkConclusion, readonly [state: CommitState, description: string]>> = {
  success: ["success", "Succeeded"],
  failure: ["failure", "Failed"],
  cancelled: ["failure", "Cancelled"],
  skipped: ["skipped", "Skipped"]
}

const longestContext = 255

type NotedJob = Pick<WorkflowJob, "conclusion" | "name"> & Partial<Pick<WorkflowJob, "open" | "tolerant">>
type NotedRun = Pick<WorkflowRun, "commit" | "event" | "name" | "needsApproval">

/** Returns the `context` (the name) of the commit status of a job. */
export const contextOf = ({ event, name }: Pick<NotedRun, "event" | "name">, job: Pick<WorkflowJob, "name">): string =>
  cutText(`${name} / ${job.name} (${event})`, longestContext)

const stateOf = (
  { conclusion, tolerant = false }: NotedJob,
  { needsApproval }: Pick<NotedRun, "needsApproval">
): readonly [state: CommitState, description: string] => {
  if (conclusion === null) return ["pending", needsApproval ? "Waiting for approval" : "Not finished"]
  return tolerant && conclusion === "failure" ? ["warning", "Failed, but allowed to fail"] : states[conclusion]
}

/** Sets the commit statuses of a run's jobs, in the running transaction. */
export const recordJobStatuses = Effect.fnUntraced(function* (
  repository: Repository,
  run: NotedRun,
  all: ReadonlyArray<NotedJob>
) {
  // The jobs of an expanded matrix have their own names.
  const jobs = all.filter(({ conclusion, open }) => open !== true || conclusion !== null)
  if (jobs.length === 0) return
  const at = yield* now
  const statuses = yield* insertStatuses(
    repository.id,
    jobs.map((job) => {
      const [state, description] = stateOf(job, run)
      return { commit: run.commit, context: contextOf(run, job), state, description, targetUrl: "", creatorId: null }
    }),
    at
  )
  yield* queueStatusHooks(
    repository,
    statuses.map(({ commit, context, id, state }) => ({ commit, context, state, id }))
  )
})
