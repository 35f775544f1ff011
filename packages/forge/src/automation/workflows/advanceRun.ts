import { now, storable } from "@slipway/domain"
import {
  callHolds,
  callOutputs,
  type JobChange,
  type JobDecisionInput,
  mostJobs,
  type RunFacts,
  releaseJobs,
  runStateOf,
  type WorkConclusion,
  type WorkflowJob,
  type WorkflowLog,
  type WorkflowRun,
  type WorkflowTurn,
  workflowJobs,
  workflowLogs,
  workflowRuns,
  workflowTurns
} from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import { Effect, Result } from "effect"
import { addJobs } from "../../base/jobs/addJob.ts"
import * as JobTokens from "../../identity/credentials/JobTokens.ts"
import { expandMatrix } from "./expandMatrix.ts"
import { factsOf } from "./facts.ts"
import { newJob } from "./jobRows.ts"
import { recordJobStatuses } from "./jobStatuses.ts"
import { queueProgressHooks } from "./queueProgressHooks.ts"

/** Returns the jobs of a run in the order of the workflow, each in its latest attempt. */
export const latestJobs = Effect.fnUntraced(function* ({ id }: Pick<WorkflowRun, "id">) {
  const store = yield* workflowJobs.store
  const { rows } = yield* store.list({ runId: id }, { limit: mostJobs }, { filter: { latest: true }, order: "oldest" })
  return rows.toSorted((one, other) => one.slot - other.slot)
})

/**
 * The changes of a run that happened before its waiting jobs are advanced: the changed jobs, and whether the run
 * started.
 */
export interface RunChanges {
  readonly jobs: ReadonlyArray<WorkflowJob>
  readonly begun?: boolean
}

/** Returns the column values of a job that ends. */
const ended = ({ logDone, runnerId, steps }: WorkflowJob, conclusion: WorkConclusion | null, at: string) => ({
  status: "done" as const,
  conclusion,
  stoppedAt: at,
  // The runner of the job may still send its log.
  logDone: logDone || runnerId === null,
  steps: steps.map((step) => (step.status === "done" ? step : { ...step, status: "done" as const, conclusion }))
})

/** Revokes the job tokens of those jobs that were sent to a runner. */
const revokeTokens = Effect.fnUntraced(function* (jobs: ReadonlyArray<WorkflowJob>) {
  yield* JobTokens.revoke(jobs.flatMap(({ id, runnerId }) => (runnerId === null ? [] : [id])))
})

/** Returns the column values of a job after a state change. */
const patchOf = (job: WorkflowJob, { conclusion, outputs, status }: JobChange, at: string): Partial<WorkflowJob> => {
  if (status === "done") return { ...ended(job, conclusion, at), ...(outputs === undefined ? {} : { outputs }) }
  // A calling job has no runner.
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

/** A run, or one of its jobs (by slot), that must wait in a concurrency group. */
interface Asking {
  readonly group: string
  readonly cancels: boolean
  readonly slot: number | null
}

/**
 * Queues a run or some of its jobs in their concurrency groups. The groups are processed after the current transaction.
 */
export const requestTurns = Effect.fnUntraced(function* (
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

/** Returns the entries of a run and its jobs in the queues of concurrency groups. */
const turnsOf = Effect.fnUntraced(function* ({ group, id: runId }: WorkflowRun, jobs: ReadonlyArray<WorkflowJob>) {
  if (group === null && jobs.every((job) => job.group === null)) return []
  return (yield* (yield* workflowTurns.store).list({ runId }, { limit: mostJobs + 1 })).rows
})

/** Removes ended jobs and runs from the queues of their concurrency groups, so that the next ones can start. */
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

/**
 * Reads the data for expressions, if a job that is not finished calls a workflow or waits for the values of its matrix.
 */
const factsFor = Effect.fnUntraced(function* (
  repository: Repository,
  run: WorkflowRun,
  jobs: ReadonlyArray<WorkflowJob>
) {
  const isAsked = jobs.some(({ calls, open, status }) => (calls !== "" || open) && status !== "done")
  return isAsked ? yield* factsOf(repository, run) : undefined
})

const decidingBy = (facts: RunFacts | undefined) =>
  facts && {
    holds: (job: WorkflowJob, all: ReadonlyArray<WorkflowJob>) => callHolds(job, all, facts),
    outputs: (job: WorkflowJob, all: ReadonlyArray<WorkflowJob>) => callOutputs(job, all, facts)
  }

const encoder = new TextEncoder()

/** Returns the failed state and the error log of a job with a matrix that cannot be expanded. */
const failedToOpen = (job: WorkflowJob, because: string, at: string) => {
  const text = `${at} ${storable(because).replaceAll(/[\r\n]+/g, " ")}\n`
  return {
    log: { jobId: job.id, start: 0, lines: 1, text },
    change: { ...ended(job, "failure", at), logLines: 1, logSize: encoder.encode(text).length, logDone: true }
  }
}

/** Expands the matrices of jobs after their dependencies have finished. Returns all changed and new jobs. */
const opened = Effect.fnUntraced(function* (
  run: WorkflowRun,
  jobs: ReadonlyArray<WorkflowJob>,
  opening: ReadonlyArray<WorkflowJob>,
  facts: RunFacts,
  at: string
) {
  const store = yield* workflowJobs.store
  const patches: Array<{ readonly id: WorkflowJob["id"]; readonly change: Partial<WorkflowJob> }> = []
  const fresh: Array<Omit<WorkflowJob, "id">> = []
  const logs: Array<Omit<WorkflowLog, "id">> = []
  for (const job of opening) {
    const present = [...jobs, ...fresh.map((row) => ({ ...row, id: job.id }))]
    const planned = expandMatrix(job, present, facts, run)
    const [first, ...others] = Result.getOrElse(planned, () => [])
    if (first === undefined) {
      const because = Result.getOrElse(Result.flip(planned), () => "the matrix has no combinations")
      const { change, log } = failedToOpen(job, because, at)
      patches.push({ id: job.id, change })
      logs.push(log)
      continue
    }
    patches.push({ id: job.id, change: first })
    fresh.push(...others.map((each) => newJob(run, each, job.attempt, at)))
  }
  yield* Effect.orDie((yield* workflowLogs.store).insertMany(logs))
  const changed = yield* Effect.orDie(store.patchMany({ runId: run.id }, patches))
  return [...changed, ...(yield* Effect.orDie(store.insertMany(fresh)))]
})

/**
 * Starts or skips waiting jobs where possible. Returns the changed and new jobs, and those that must wait in a
 * concurrency group.
 */
const advanced = Effect.fnUntraced(function* (
  repository: Repository,
  run: WorkflowRun,
  all: ReadonlyArray<WorkflowJob>,
  turns: Pick<JobDecisionInput<WorkflowJob>, "asked" | "taken">,
  at: string
) {
  const facts = yield* factsFor(repository, run, all)
  const present = new Map(all.map((job) => [job.slot, job]))
  const moved = new Map<WorkflowJob["id"], WorkflowJob>()
  const keep = (rows: ReadonlyArray<WorkflowJob>) => {
    for (const job of rows) {
      present.set(job.slot, job)
      moved.set(job.id, job)
    }
  }
  for (;;) {
    const jobs = [...present.values()]
    const { asking, changes, opening } = releaseJobs(jobs, { ...turns, ...decidingBy(facts) })
    keep(yield* changedBy(run, jobs, changes, at))
    const newJobs = facts === undefined ? [] : yield* opened(run, [...present.values()], opening, facts, at)
    if (newJobs.length === 0) return { asking, moved: [...moved.values()] }
    // The status that an earlier attempt set under the job's own name is obsolete after the expansion.
    const over = opening.filter(({ attempt, id }) => attempt > 1 && newJobs.some((job) => job.id === id && !job.open))
    const gone = over.map(({ name }) => ({ name, conclusion: "skipped" as const }))
    yield* recordJobStatuses(repository, run, [...gone, ...newJobs])
    keep(newJobs)
  }
})

/** Updates the status of a run from its jobs, and starts or skips waiting jobs. The run must be locked. */
export const advanceRun = Effect.fnUntraced(function* (
  repository: Repository,
  run: WorkflowRun,
  { begun, jobs: moved }: RunChanges
) {
  const [at, jobs] = [yield* now, yield* latestJobs(run)]
  const turns = yield* turnsOf(run, jobs)
  const asked = new Set(turns.map(({ slot }) => slot))
  const taken = new Set(turns.flatMap((turn) => (turn.holds === null ? [] : [turn.slot])))
  const mayBegin = !run.needsApproval && (run.group === null || taken.has(null))
  const { asking, moved: changed } = mayBegin
    ? yield* advanced(repository, run, jobs, { asked, taken }, at)
    : { asking: [], moved: [] }
  const present = [...new Map([...jobs, ...changed].map((job) => [job.slot, job])).values()]
  const state = runStateOf(present)
  yield* leaveTurns(turns, state, present)
  yield* requestTurns(
    run,
    asking.flatMap(({ cancels, group, slot }) => (group === null || asked.has(slot) ? [] : [{ cancels, group, slot }]))
  )
  yield* recordJobStatuses(
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
  const changedJobs = new Map([...moved, ...changed].map((job) => [job.id, job]))
  yield* queueProgressHooks(repository, begun === true ? undefined : run, after ?? run, [...changedJobs.values()])
  return after ?? run
})

/** Ends jobs of a run and revokes their tokens. Returns the updated run, which must be locked. */
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
  yield* recordJobStatuses(repository, run, done)
  return yield* advanceRun(repository, run, { jobs: done })
})

/** Cancels all unfinished jobs of a run, in the running transaction. */
export const cancelJobs = Effect.fnUntraced(function* (repository: Repository, run: WorkflowRun) {
  const open = (yield* latestJobs(run)).filter(({ status }) => status !== "done")
  return open.length === 0 ? run : yield* endJobs(repository, run, open, "cancelled")
})
