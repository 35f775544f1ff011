import { Effect } from "effect"
import { now } from "../../Time.ts"
import * as JobTokens from "../credentials/JobTokens.ts"
import type { Repository } from "../repositories/Repository.ts"
import { noteJobs } from "./noting.ts"
import { released, runStateOf } from "./progress.ts"
import { tellProgress } from "./telling.ts"
import { mostJobs } from "./Workflow.ts"
import { type WorkflowJob, workflowJobs } from "./WorkflowJob.ts"
import { type WorkConclusion, type WorkflowRun, workflowRuns } from "./WorkflowRun.ts"

/** Returns the jobs of a run that no later attempt has again, in their order. */
export const latestJobs = Effect.fnUntraced(function* ({ id }: Pick<WorkflowRun, "id">) {
  const store = yield* workflowJobs.store
  const { rows } = yield* store.list({ runId: id }, { limit: mostJobs }, { filter: { latest: true }, order: "oldest" })
  return rows.toSorted((one, other) => one.slot - other.slot)
})

/** What went on of a run before the others are let go on: jobs of it, and whether it is begun by that. */
export interface WentOn {
  readonly jobs: ReadonlyArray<WorkflowJob>
  readonly begun?: boolean
}

/** Says how far a run is by its jobs, and lets those go on that waited for others; the run is locked. */
export const goOn = Effect.fnUntraced(function* (
  repository: Repository,
  run: WorkflowRun,
  { begun, jobs: moved }: WentOn
) {
  const [at, jobs] = [yield* now, yield* latestJobs(run)]
  const changes = released(jobs)
  const changed = yield* (yield* workflowJobs.store)
    .patchMany(
      { runId: run.id },
      changes.map(({ id, ...change }) => ({
        id,
        change: change.status === "done" ? { ...change, stoppedAt: at, logDone: true } : change
      }))
    )
    .pipe(Effect.orDie)
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
  const told = new Map([...moved, ...changed].map((job) => [job.id, job]))
  yield* tellProgress(repository, begun === true ? undefined : run, after ?? run, [...told.values()])
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
  const ended = yield* (yield* workflowJobs.store)
    .patchMany(
      { runId: run.id },
      jobs.map(({ id, logDone: isDone, runnerId, steps }) => ({
        id,
        change: {
          status: "done",
          conclusion,
          stoppedAt: at,
          // Whoever has the job may still send what it wrote.
          logDone: isDone || logDone || runnerId === null,
          steps: steps.map((step) => (step.status === "done" ? step : { ...step, status: "done", conclusion }))
        }
      }))
    )
    .pipe(Effect.orDie)
  for (const { id, runnerId } of jobs) if (runnerId !== null) yield* JobTokens.revoke(id)
  yield* noteJobs(repository, run, ended)
  return yield* goOn(repository, run, { jobs: ended })
})
