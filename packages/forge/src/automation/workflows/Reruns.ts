import { now } from "@slipway/domain"
import {
  mostAttempts,
  type WorkflowJob,
  WorkflowJobNotFound,
  type WorkflowRun,
  WorkflowRunNotFound,
  workflowJobs,
  workflowRuns
} from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect, Schema } from "effect"
import { audited } from "../../base/events/record.ts"
import { advanceRun, cancelJobs, latestJobs, requestTurns } from "./advanceRun.ts"
import { jobAgain } from "./jobRows.ts"
import { recordJobStatuses } from "./jobStatuses.ts"

/** Reports that a run cannot be rerun in its current state. */
export class WorkflowRunBusy extends Schema.TaggedError<WorkflowRunBusy>()("WorkflowRunBusy", {
  problem: Schema.String
}) {}

const locked = Effect.fnUntraced(function* ({ id: repositoryId }: Pick<Repository, "id">, id: number) {
  const run = yield* (yield* workflowRuns.store).lock({ repositoryId }, id)
  return run ?? (yield* new WorkflowRunNotFound({ id }))
})

/**
 * Returns the jobs to rerun: the chosen jobs, the jobs that depend on them, the jobs of the workflows that they call,
 * and the jobs that call them.
 *
 * The other jobs of the calling workflows stay unchanged.
 *
 * @example
 * const job = (slot: number, key: string, needs: ReadonlyArray<string>) => ({ slot, key, needs, caller: null })
 * const jobs = [job(0, "build", []), job(1, "test", ["build"]), job(2, "lint", [])]
 * withWaiting(jobs, new Set([0])).map(({ key }) => key) // => ["build", "test"]
 */
export const withWaiting = <J extends Pick<WorkflowJob, "caller" | "key" | "needs" | "slot">>(
  jobs: ReadonlyArray<J>,
  slots: ReadonlySet<number>
): ReadonlyArray<J> => {
  const whole = new Set(slots)
  const calling = new Set<number>()
  const isAgain = ({ slot }: J) => whole.has(slot) || calling.has(slot)
  for (let before = -1; before < whole.size + calling.size; ) {
    before = whole.size + calling.size
    const again = jobs.filter(isAgain)
    const keys = new Set(again.map(({ caller, key }) => `${caller} ${key}`))
    for (const { caller } of again) if (caller !== null) calling.add(caller)
    for (const { caller, needs, slot } of jobs) {
      const isCalled = caller !== null && whole.has(caller)
      if (isCalled || needs.some((key) => keys.has(`${caller} ${key}`))) whole.add(slot)
    }
  }
  return jobs.filter(isAgain)
}

/** Queues a run in its concurrency group, if it has one. */
const askForTurn = ({ group, ...run }: WorkflowRun) =>
  group === null ? Effect.void : requestTurns({ ...run, group }, [{ ...run, group, slot: null }])

/** Reruns the chosen jobs of a run and the jobs that depend on them, in the current transaction. */
const begunAgain = Effect.fnUntraced(function* (
  repository: Repository,
  id: number,
  choose: (jobs: ReadonlyArray<WorkflowJob>) => ReadonlyArray<WorkflowJob>
) {
  const run = yield* locked(repository, id)
  const jobs = yield* latestJobs(run)
  if (run.status !== "done") return yield* new WorkflowRunBusy({ problem: "the run is not finished yet" })
  if (run.attempt >= mostAttempts) {
    return yield* new WorkflowRunBusy({ problem: `the run reached the limit of ${mostAttempts} attempts` })
  }
  const slots = new Set(choose(jobs).map(({ slot }) => slot))
  const chosen = withWaiting(jobs, slots)
  if (chosen.length === 0) return yield* new WorkflowRunBusy({ problem: "the job does not exist in the run" })
  const at = yield* now
  const [runs, store] = [yield* workflowRuns.store, yield* workflowJobs.store]
  const attempt = run.attempt + 1
  const begun = yield* Effect.orDie(
    Effect.gen(function* () {
      yield* store.patchMany(
        { runId: run.id },
        chosen.map((job) => ({ id: job.id, change: { latest: false } }))
      )
      const rerunJobs = yield* store.insertMany(chosen.map((job) => jobAgain(job, attempt, at)))
      yield* recordJobStatuses(repository, run, rerunJobs)
      const change = { attempt, status: "waiting", conclusion: null, startedAt: null, stoppedAt: null } as const
      return { run: (yield* runs.patch({ repositoryId: repository.id }, run.id, change)) ?? run, jobs: rerunJobs }
    })
  )
  if (!run.needsApproval) yield* askForTurn(run)
  return yield* advanceRun(repository, begun.run, { jobs: begun.jobs, begun: true })
})

const eventDetailsOf = ({ attempt, id }: WorkflowRun) => ({ details: { run: id, attempt } })

/** Reruns all jobs of a run. */
export const rerun = audited(
  ({ resource: { repository } }: Proof<"repository.actions.run.rerun">, id: number) =>
    begunAgain(repository, id, (jobs) => jobs),
  eventDetailsOf
)

/** Reruns the failed and cancelled jobs of a run. */
export const rerunFailed = audited(
  ({ resource: { repository } }: Proof<"repository.actions.run.rerun-failed-jobs">, id: number) =>
    begunAgain(repository, id, (jobs) => {
      const bad = jobs.filter(({ conclusion }) => conclusion === "failure" || conclusion === "cancelled")
      // A calling job is rerun by its failed called jobs.
      return bad.filter((job) => job.calls === "" || bad.every(({ caller }) => caller !== job.slot))
    }),
  eventDetailsOf
)

/** Reruns one job of a run and the jobs that depend on it, and returns the new job. */
export const rerunJob = audited(
  Effect.fnUntraced(function* (
    { resource: { repository } }: Proof<"repository.actions.run.job.rerun">,
    id: number,
    jobId: number
  ) {
    const { id: runId } = yield* locked(repository, id)
    const job = yield* (yield* workflowJobs.store).find({ runId }, jobId)
    if (job === undefined) return yield* new WorkflowJobNotFound({ id: jobId })
    const run = yield* begunAgain(repository, id, (jobs) => jobs.filter(({ slot }) => slot === job.slot))
    const present = (yield* latestJobs(run)).find(({ slot }) => slot === job.slot)
    return { run, job: present ?? job }
  }),
  ({ job, run }) => ({ details: { run: run.id, attempt: run.attempt, job: job.id } })
)

/** Cancels an unfinished run: waiting jobs do not start, and runners stop running jobs. */
export const cancel = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.actions.run.cancel">, id: number) {
    const run = yield* locked(repository, id)
    if (run.status === "done") return yield* new WorkflowRunBusy({ problem: "the run is finished" })
    return yield* cancelJobs(repository, run)
  }),
  (run) => eventDetailsOf(run)
)

/**
 * Approves a run that waits for approval. The run uses the commit and the workflow that were reviewed (invariant I20).
 *
 * A later push creates another run, which needs its own approval.
 */
export const approve = audited(
  Effect.fnUntraced(function* (
    { resource: { actor, repository } }: Proof<"repository.actions.run.approve">,
    id: number
  ) {
    const run = yield* locked(repository, id)
    if (!run.needsApproval) return yield* new WorkflowRunBusy({ problem: "the run does not need approval" })
    if (run.status === "done") return yield* new WorkflowRunBusy({ problem: "the run is finished" })
    const change = { needsApproval: false, approverId: actor.user?.id ?? null }
    const approved = yield* Effect.orDie((yield* workflowRuns.store).patch({ repositoryId: repository.id }, id, change))
    if (approved === undefined) return yield* new WorkflowRunNotFound({ id })
    yield* recordJobStatuses(repository, approved, yield* latestJobs(approved))
    yield* askForTurn(approved)
    return yield* advanceRun(repository, approved, { jobs: [], begun: true })
  }),
  (run) => eventDetailsOf(run)
)

/** Removes a run with its jobs and their logs; cancels jobs in progress. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource: { repository } }: Proof<"repository.actions.run.delete">, id: number) {
    const run = yield* locked(repository, id)
    yield* cancelJobs(repository, run)
    yield* (yield* workflowRuns.store).remove({ repositoryId: repository.id }, run.id)
    return run
  }),
  ({ id, number }) => ({ details: { run: id, number } })
)
