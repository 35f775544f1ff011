import { Effect } from "effect"
import { now } from "../../Time.ts"
import * as JobTokens from "../credentials/JobTokens.ts"
import type { Repository } from "../repositories/Repository.ts"
import { noteJobs } from "./noting.ts"
import { type JobChange, released, runStateOf } from "./progress.ts"
import { mostJobs } from "./Workflow.ts"
import { type WorkflowJob, workflowJobs } from "./WorkflowJob.ts"
import { type WorkConclusion, type WorkflowRun, workflowRuns } from "./WorkflowRun.ts"

/** Returns the jobs of a run that no later attempt has again, in their order. */
export const latestJobs = Effect.fnUntraced(function* ({ id }: Pick<WorkflowRun, "id">) {
  const store = yield* workflowJobs.store
  const { rows } = yield* store.list({ runId: id }, { limit: mostJobs }, { filter: { latest: true }, order: "oldest" })
  return rows.toSorted((one, other) => one.slot - other.slot)
})

/** Returns what is written of a job that ends. */
const ended = ({ logDone, runnerId, steps }: WorkflowJob, conclusion: WorkConclusion | null, at: string) => ({
  status: "done" as const,
  conclusion,
  stoppedAt: at,
  // Whoever has the job may still send what it wrote.
  logDone: logDone || runnerId === null,
  steps: steps.map((step) => (step.status === "done" ? step : { ...step, status: "done" as const, conclusion }))
})

/** Takes away what jobs could do that had runners. */
const revokeTokens = Effect.fnUntraced(function* (jobs: ReadonlyArray<WorkflowJob>) {
  for (const { id, runnerId } of jobs) if (runnerId !== null) yield* JobTokens.revoke(id)
})

const changedBy = Effect.fnUntraced(function* (
  run: WorkflowRun,
  jobs: ReadonlyArray<WorkflowJob>,
  changes: ReadonlyArray<JobChange>,
  at: string
) {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const patches = changes.flatMap(({ id, ...change }) => {
    const job = byId.get(id)
    if (job === undefined) return []
    return [{ id, change: change.status === "done" ? ended(job, change.conclusion, at) : change }]
  })
  yield* revokeTokens(jobs.filter(({ id }) => changes.some((each) => each.id === id && each.status === "done")))
  return yield* Effect.orDie((yield* workflowJobs.store).patchMany({ runId: run.id }, patches))
})

/** Says how far a run is by its jobs, and lets those go on that waited for others; the run is locked. */
export const goOn = Effect.fnUntraced(function* (repository: Repository, run: WorkflowRun) {
  const [at, jobs] = [yield* now, yield* latestJobs(run)]
  const changed = yield* changedBy(run, jobs, released(jobs), at)
  const present = new Map(changed.map((job) => [job.id, job]))
  const state = runStateOf(jobs.map((job) => present.get(job.id) ?? job))
  yield* noteJobs(
    repository,
    run,
    changed.filter(({ status }) => status === "done")
  )
  const after = yield* Effect.orDie(
    (yield* workflowRuns.store).patch({ repositoryId: run.repositoryId }, run.id, {
      ...state,
      startedAt: run.startedAt ?? (state.status === "running" ? at : null),
      stoppedAt: state.status === "done" ? at : null
    })
  )
  return after ?? run
})

/** Ends jobs of a run that has been locked, and takes away what they could do; answers the run as it is then. */
export const endJobs = Effect.fnUntraced(function* (
  repository: Repository,
  run: WorkflowRun,
  jobs: ReadonlyArray<WorkflowJob>,
  conclusion: WorkConclusion,
  logDone = false
) {
  const at = yield* now
  const changes = jobs.map((job) => {
    const change = ended(job, conclusion, at)
    return { id: job.id, change: { ...change, logDone: change.logDone || logDone } }
  })
  const done = yield* Effect.orDie((yield* workflowJobs.store).patchMany({ runId: run.id }, changes))
  yield* revokeTokens(jobs)
  yield* noteJobs(repository, run, done)
  return yield* goOn(repository, run)
})
