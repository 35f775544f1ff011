import { Effect } from "effect"
import { now } from "../../Time.ts"
import * as JobTokens from "../credentials/JobTokens.ts"
import { addJobs } from "../jobs/addJob.ts"
import type { Repository } from "../repositories/Repository.ts"
import { callHolds, callOutputs } from "./calling.ts"
import { factsOf } from "./facts.ts"
import { noteJobs } from "./noting.ts"
import { type JobChange, released, runStateOf } from "./progress.ts"
import { tellProgress } from "./telling.ts"
import { mostJobs } from "./Workflow.ts"
import { type WorkflowJob, workflowJobs } from "./WorkflowJob.ts"
import { type WorkConclusion, type WorkflowRun, type WorkflowTurn, workflowRuns, workflowTurns } from "./WorkflowRun.ts"

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
  yield* JobTokens.revoke(jobs.flatMap(({ id, runnerId }) => (runnerId === null ? [] : [id])))
})

/** Returns what is written of a job that something becomes of. */
const patchOf = (job: WorkflowJob, { conclusion, outputs, status }: JobChange, at: string): Partial<WorkflowJob> => {
  if (status === "done") return { ...ended(job, conclusion, at), ...(outputs === undefined ? {} : { outputs }) }
  // One that calls others has no runner to be heard of.
  return status === "running" ? { status, conclusion, startedAt: at } : { status, conclusion, aliveAt: at }
}

const changedBy = Effect.fnUntraced(function* (
  run: WorkflowRun,
  jobs: ReadonlyArray<WorkflowJob>,
  changes: ReadonlyArray<JobChange>,
  at: string
) {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const patches = changes.flatMap((change) => {
    const job = byId.get(change.id)
    return job === undefined ? [] : [{ id: job.id, change: patchOf(job, change, at) }]
  })
  yield* revokeTokens(jobs.filter(({ id }) => changes.some((each) => each.id === id && each.status === "done")))
  return yield* Effect.orDie((yield* workflowJobs.store).patchMany({ runId: run.id }, patches))
})

/** Who asks for a turn: a run, or one of its jobs by its place. */
interface Asking {
  readonly group: string
  readonly cancels: boolean
  readonly slot: number | null
}

/** Has a run or jobs of it ask for their turns, which are given once the running transaction ended. */
export const askForTurns = Effect.fnUntraced(function* (
  { id: runId, repositoryId }: WorkflowRun,
  asking: ReadonlyArray<Asking>
) {
  if (asking.length === 0) return
  const turns = asking.map(({ cancels, group, slot }) => ({ repositoryId, group, runId, slot, cancels, holds: null }))
  yield* Effect.orDie((yield* workflowTurns.store).insertMany(turns))
  yield* settleLater(turns)
})

const settleLater = Effect.fnUntraced(function* (turns: ReadonlyArray<Pick<WorkflowTurn, "group" | "repositoryId">>) {
  const groups = new Map(turns.map(({ group, repositoryId }) => [group, repositoryId]))
  yield* addJobs([...groups].map(([group, repositoryId]) => ({ _tag: "SettleTurns" as const, repositoryId, group })))
})

/** Returns the turns of a run and its jobs. */
const turnsOf = Effect.fnUntraced(function* ({ group, id: runId }: WorkflowRun, jobs: ReadonlyArray<WorkflowJob>) {
  if (group === null && jobs.every((job) => job.group === null)) return []
  return (yield* (yield* workflowTurns.store).list({ runId }, { limit: mostJobs + 1 })).rows
})

/** Gives up the turns of what ended. */
const leaveTurns = Effect.fnUntraced(function* (
  turns: ReadonlyArray<WorkflowTurn>,
  { status }: Pick<WorkflowRun, "status">,
  jobs: ReadonlyArray<WorkflowJob>
) {
  const done = new Set<number | null>(jobs.filter((job) => job.status === "done").map(({ slot }) => slot))
  const left = turns.filter(({ slot }) => status === "done" || done.has(slot))
  const [first] = left
  if (first === undefined) return
  const store = yield* workflowTurns.store
  yield* store.removeMany(
    { runId: first.runId },
    left.map(({ id }) => id)
  )
  yield* settleLater(left)
})

/** Returns what decides about jobs that call workflows, where there are any that have not ended. */
const callsOf = Effect.fnUntraced(function* (
  repository: Repository,
  run: WorkflowRun,
  jobs: ReadonlyArray<WorkflowJob>
) {
  if (jobs.every(({ calls, status }) => calls === "" || status === "done")) return {}
  const facts = yield* factsOf(repository, run)
  if (facts === undefined) return {}
  return {
    holds: (job: WorkflowJob, all: ReadonlyArray<WorkflowJob>) => callHolds(job, all, facts),
    outputs: (job: WorkflowJob, all: ReadonlyArray<WorkflowJob>) => callOutputs(job, all, facts)
  }
})

/** Says how far a run is by its jobs, and lets those go on that waited for others; the run is locked. */
export const goOn = Effect.fnUntraced(function* (
  repository: Repository,
  run: WorkflowRun,
  { begun, jobs: moved }: WentOn
) {
  const [at, jobs] = [yield* now, yield* latestJobs(run)]
  const turns = yield* turnsOf(run, jobs)
  const asked = new Set(turns.map(({ slot }) => slot))
  const taken = new Set(turns.flatMap((turn) => (turn.holds === null ? [] : [turn.slot])))
  const mayBegin = !run.needsApproval && (run.group === null || taken.has(null))
  const { asking, changes } = mayBegin
    ? released(jobs, { asked, taken, ...(yield* callsOf(repository, run, jobs)) })
    : { asking: [], changes: [] }
  const changed = yield* changedBy(run, jobs, changes, at)
  const byId = new Map(changed.map((job) => [job.id, job]))
  const present = jobs.map((job) => byId.get(job.id) ?? job)
  const state = runStateOf(present)
  yield* leaveTurns(turns, state, present)
  yield* askForTurns(
    run,
    asking.flatMap(({ cancels, group, slot }) => (group === null || asked.has(slot) ? [] : [{ cancels, group, slot }]))
  )
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
  const changes = jobs.map((job) => {
    const change = ended(job, conclusion, at)
    return { id: job.id, change: { ...change, logDone: change.logDone || logDone } }
  })
  const done = yield* Effect.orDie((yield* workflowJobs.store).patchMany({ runId: run.id }, changes))
  yield* revokeTokens(jobs)
  yield* noteJobs(repository, run, done)
  return yield* goOn(repository, run, { jobs: done })
})

/** Ends all jobs of a run that have not ended, in the running transaction. */
export const cancelled = Effect.fnUntraced(function* (repository: Repository, run: WorkflowRun) {
  const open = (yield* latestJobs(run)).filter(({ status }) => status !== "done")
  return open.length === 0 ? run : yield* endJobs(repository, run, open, "cancelled")
})
