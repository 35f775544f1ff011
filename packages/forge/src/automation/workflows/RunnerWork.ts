import { Level } from "@slipway/access"
import { elapsedMilliseconds, isStoreUnavailable, now, storable, Transaction } from "@slipway/domain"
import type { PlainValue } from "@slipway/domain/forge/automation"
import {
  inputsAround,
  isRecord,
  labelOf,
  outputsWith,
  type RunFacts,
  type Runner,
  resultsOf,
  runtimeToken,
  secretsAround,
  type WorkConclusion,
  type WorkflowJob,
  type WorkflowJobId,
  WorkflowJobNotFound,
  type WorkflowLog,
  WorkflowQueue,
  type WorkflowRun,
  type WorkflowStep,
  withInputs,
  workflowAround,
  workflowJobs,
  workflowLogs,
  workflowOfJob,
  workflowRuns
} from "@slipway/domain/forge/automation"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import { RepositoryStore } from "@slipway/domain/forge/code"
import { Cause, DateTime, Effect, Option } from "effect"
import * as JobTokens from "../../identity/credentials/JobTokens.ts"
import * as ActionSecrets from "../actionSecrets/ActionSecrets.ts"
import { advanceRun, endJobs, latestJobs } from "./advanceRun.ts"
import { runsWorkflows } from "./createRun.ts"
import { factsOf } from "./facts.ts"

/** The result of a job in the runner protocol: 0 unfinished, 1 success, 2 failure, 3 cancelled, 4 skipped. */
export type RunnerResult = 0 | 1 | 2 | 3 | 4

/** The result and the outputs of a job, as sent to a job that depends on it. */
export interface NeededJob {
  readonly result: RunnerResult
  readonly outputs: Readonly<Record<string, string>>
}

/** A job as sent to a runner. */
export interface TaskToDo {
  readonly id: WorkflowJobId
  /** A workflow that contains only this job, as JSON (which is valid YAML). */
  readonly workflow: string
  /** The values of the `github` context for expressions. */
  readonly context: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  readonly vars: Readonly<Record<string, string>>
  readonly needs: Readonly<Record<string, NeededJob>>
}

/** The state of a step of a job, as the runner reports it. */
export interface StepUpdate {
  readonly id: number
  readonly result: RunnerResult
  readonly startedAt?: string | undefined
  readonly stoppedAt?: string | undefined
  readonly logIndex: number
  readonly logLength: number
}

/** The state and the outputs of a job, as the runner reports them. */
export interface TaskUpdate {
  readonly id: number
  readonly result: RunnerResult
  readonly startedAt?: string | undefined
  readonly stoppedAt?: string | undefined
  readonly steps: ReadonlyArray<StepUpdate>
  readonly outputs: Readonly<Record<string, string>>
}

/** The stored state of a job, returned to its runner: the result and the outputs. */
export interface TaskState {
  readonly result: RunnerResult
  readonly sentOutputs: ReadonlyArray<string>
}

/** A log line with its timestamp. */
export interface LogRow {
  readonly time: string
  readonly content: string
}

/** A part of a job's log, with the number of its first line. */
export interface LogUpdate {
  readonly id: number
  readonly index: number
  readonly rows: ReadonlyArray<LogRow>
  readonly noMore: boolean
}

const results = { success: 1, failure: 2, cancelled: 3, skipped: 4 } as const
const conclusions: Readonly<Record<RunnerResult, WorkConclusion | null>> = {
  0: null,
  1: "success",
  2: "failure",
  3: "cancelled",
  4: "skipped"
}

const resultOf = (conclusion: WorkConclusion | null): RunnerResult => (conclusion === null ? 0 : results[conclusion])

/** Returns the workflow to send to the runner of a job. For a job of a called workflow, its inputs are included. */
const writtenFor = (job: WorkflowJob, jobs: ReadonlyArray<WorkflowJob>, facts: RunFacts): PlainValue => {
  const written = workflowAround(job, jobs, facts)
  if (job.caller === null) return written
  const { jobs: all, name: _, on = null, ...shared } = written
  const own = isRecord(all) ? { [job.key]: all[job.key] ?? null } : {}
  const replaced = withInputs({ ...shared, jobs: own }, inputsAround(job, jobs, facts))
  // The runner reports the workflow that was started.
  const named = isRecord(facts.workflow) && facts.workflow.name !== undefined ? { name: facts.workflow.name } : {}
  return isRecord(replaced) ? { ...named, on, ...replaced } : null
}

const neededBy = (job: WorkflowJob, all: ReadonlyArray<WorkflowJob>): TaskToDo["needs"] => {
  const jobs = all.filter(({ caller }) => caller === job.caller)
  const ended = resultsOf(jobs)
  return Object.fromEntries(
    job.needs.map((key) => {
      const outputs = jobs.filter((each) => each.key === key).map((each) => each.outputs)
      return [key, { result: resultOf(ended.get(key) ?? null), outputs: Object.assign({}, ...outputs) }]
    })
  )
}

/** Builds the message that sends a claimed job to its runner. */
const taskOf = Effect.fnUntraced(function* (
  repository: Repository,
  run: WorkflowRun,
  job: WorkflowJob,
  reachedAt: string
) {
  const facts = yield* factsOf(repository, run, reachedAt)
  if (facts === undefined) return undefined
  const jobs = yield* latestJobs(run)
  const workflow = workflowOfJob(writtenFor(job, jobs, facts), job)
  if (workflow === undefined) return undefined
  const { workflows } = yield* SiteSettings
  const { id: jobId, repositoryId } = job
  const token = yield* JobTokens.mint({ jobId, repositoryId, level: run.trusted ? Level.write : Level.read })
  const own = { GITHUB_TOKEN: token, GITEA_TOKEN: token }
  const secrets = run.trusted ? yield* ActionSecrets.ofJobs(repository) : {}
  return {
    id: jobId,
    workflow,
    context: {
      ...facts.github,
      job: job.key,
      token,
      gitea_default_actions_url: workflows.actionsUrl,
      gitea_runtime_token: runtimeToken({ runId: run.id, jobId, token })
    },
    secrets: { ...secretsAround(job, jobs, facts, { ...secrets, ...own }), ...own },
    vars: facts.vars,
    needs: neededBy(job, jobs)
  } satisfies TaskToDo
})

/**
 * Marks a claimed job as begun, and returns its message for the runner. Returns undefined if the job has ended, or if
 * the repository runs no workflows.
 */
const begin = Effect.fnUntraced(function* ({ id, repositoryId, runId, runnerId }: WorkflowJob, reachedAt: string) {
  const run = yield* (yield* workflowRuns.store).lock({ repositoryId }, runId)
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  const job = yield* (yield* workflowJobs.store).lock({ runId }, id)
  if (run === undefined || repository === undefined) return undefined
  if (job?.status !== "running" || job.runnerId !== runnerId) return undefined
  const task = runsWorkflows(repository) ? yield* taskOf(repository, run, job, reachedAt) : undefined
  if (task === undefined) yield* endJobs(repository, run, [job], "cancelled", true)
  else yield* advanceRun(repository, run, { jobs: [job] })
  return task
})

const returnedJob = { status: "waiting", runnerId: null, runnerName: "", startedAt: null } as const

/** Returns whether an error while a job is sent to a runner may be temporary. */
const mayPass = (cause: Cause.Cause<unknown>): boolean =>
  isStoreUnavailable(cause) || cause.reasons.some(Cause.isInterruptReason)

/** Ends a job as failed, because it cannot be sent to its runner; in the current transaction. */
const failJob = Effect.fnUntraced(function* ({ id, repositoryId, runId }: WorkflowJob) {
  const run = yield* (yield* workflowRuns.store).lock({ repositoryId }, runId)
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  const job = yield* (yield* workflowJobs.store).lock({ runId }, id)
  if (run === undefined || repository === undefined || job?.status !== "running") return
  yield* endJobs(repository, run, [job], "failure", true)
})

/**
 * The maximum number of jobs that are claimed for one request of a runner. If none of them can be started, the response
 * is empty.
 */
const mostOffers = 10

/**
 * Claims the oldest waiting job with matching labels that the runner may run.
 *
 * Creates the job's token, which expires with the job. A disabled runner gets no job. `reachedAt` is the URL at which
 * the runner reached the service; jobs use it if the site has no configured root URL.
 */
export const fetchTask = Effect.fnUntraced(function* (runner: Runner, reachedAt = "") {
  if (runner.disabled) return undefined
  const queue = yield* WorkflowQueue
  const transaction = yield* Transaction
  const store = yield* workflowJobs.store
  const labels = [...new Set(runner.labels.map(labelOf))]
  for (let offers = 0; offers < mostOffers; offers++) {
    const claim = { of: runner, labels, runnerId: runner.id, runnerName: runner.name, at: yield* now }
    const job = yield* queue.claim(claim)
    if (job === undefined) return undefined
    const { id, runId } = job
    const task = yield* transaction.attempt(begin(job, reachedAt)).pipe(
      Effect.catchCause((cause) =>
        mayPass(cause)
          ? Effect.andThen(Effect.orDie(store.patch({ runId }, id, returnedJob)), Effect.failCause(cause))
          : // A job that cannot be announced does not block the others.
            Effect.andThen(
              Effect.logError(`job ${id} could not be assigned to a runner`, cause),
              Effect.as(transaction.run(failJob(job)), undefined)
            )
      )
    )
    if (task !== undefined) return task
  }
  return undefined
})

const timeIn = (text: string | undefined): string | null =>
  text === undefined ? null : Option.getOrNull(Option.map(DateTime.make(text), DateTime.formatIso))

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

const stepAfter = (step: WorkflowStep, said: StepUpdate | undefined): WorkflowStep => {
  if (said === undefined) return step
  const conclusion = conclusions[said.result]
  const startedAt = timeIn(said.startedAt) ?? step.startedAt
  return {
    ...step,
    status: conclusion !== null ? "done" : startedAt === null ? step.status : "running",
    conclusion,
    startedAt,
    stoppedAt: timeIn(said.stoppedAt) ?? step.stoppedAt,
    logIndex: isCount(said.logIndex) ? said.logIndex : step.logIndex,
    logLength: isCount(said.logLength) ? said.logLength : step.logLength
  }
}

const jobOfRunner = Effect.fnUntraced(function* (runner: Pick<Runner, "id">, id: number) {
  return (yield* (yield* WorkflowQueue).held(runner.id, id)) ?? (yield* new WorkflowJobNotFound({ id }))
})

const stateOf = ({ conclusion, outputs }: WorkflowJob): TaskState => ({
  result: resultOf(conclusion),
  sentOutputs: Object.keys(outputs)
})

/** The minimum time between stored heartbeats of a job, in milliseconds, because each write updates indexes. */
const signsApart = 60_000

const aliveSince = ({ aliveAt }: WorkflowJob, at: string): string =>
  aliveAt !== null && elapsedMilliseconds(aliveAt, at) < signsApart ? aliveAt : at

const changeBy = (job: WorkflowJob, update: TaskUpdate, at: string) => {
  const said = new Map(update.steps.map((step) => [step.id, step]))
  return {
    aliveAt: aliveSince(job, at),
    startedAt: timeIn(update.startedAt) ?? job.startedAt,
    steps: job.steps.map((step, place) => stepAfter(step, said.get(place))),
    outputs: outputsWith(job.outputs, update.outputs)
  }
}

/** Ends a job with the result that its runner reports, and starts the jobs that waited for it. */
const finished = Effect.fnUntraced(function* (held: WorkflowJob, update: TaskUpdate, conclusion: WorkConclusion) {
  const { id, repositoryId, runId } = held
  const run = yield* (yield* workflowRuns.store).lock({ repositoryId }, runId)
  const repository = yield* (yield* RepositoryStore).find(repositoryId)
  const store = yield* workflowJobs.store
  const job = yield* store.lock({ runId }, id)
  if (run === undefined || repository === undefined || job === undefined) return yield* new WorkflowJobNotFound({ id })
  if (job.status !== "running") return stateOf(job)
  const changed = (yield* Effect.orDie(store.patch({ runId }, id, changeBy(job, update, yield* now)))) ?? job
  yield* endJobs(repository, run, [changed], conclusion)
  return { ...stateOf(changed), result: update.result }
})

/**
 * Stores the state of a job as reported by its runner. Returns the resulting state, which is `cancelled` if a user
 * cancelled the job.
 */
export const updateTask = Effect.fnUntraced(function* (runner: Pick<Runner, "id">, update: TaskUpdate) {
  const job = yield* jobOfRunner(runner, update.id)
  if (job.status !== "running") return stateOf(job)
  const conclusion = conclusions[update.result]
  if (conclusion !== null) return yield* (yield* Transaction).run(finished(job, update, conclusion))
  const store = yield* workflowJobs.store
  const changed = yield* Effect.orDie(store.patch({ runId: job.runId }, job.id, changeBy(job, update, yield* now)))
  return stateOf(changed ?? job)
})

/** The maximum size of the log of a job, in bytes. */
const largestLog = 67_108_864
const longestLine = 65_536

const lineOf = ({ content, time }: LogRow, at: string): string =>
  `${timeIn(time) ?? at} ${storable(content.slice(0, longestLine)).replaceAll(/[\r\n]+/g, " ")}\n`

const fullLine = (at: string): string => `${at} The log exceeds the size limit: the rest is not stored.\n`

const encoder = new TextEncoder()

/** Builds the next part of a job's log from new lines, up to the size limit; undefined if nothing is left. */
const pieceOf = (job: WorkflowJob, rows: ReadonlyArray<LogRow>, at: string): Omit<WorkflowLog, "id"> | undefined => {
  if (rows.length === 0 || job.logSize >= largestLog) return undefined
  const text = rows.map((row) => lineOf(row, at)).join("")
  const isTooMuch = job.logSize + encoder.encode(text).length > largestLog
  return {
    jobId: job.id,
    start: job.logLines,
    lines: rows.length,
    text: isTooMuch ? fullLine(at) : text
  }
}

/**
 * Appends lines to the log of a runner's job, and returns the number of stored lines.
 *
 * Lines that are already stored are skipped. Lines after a gap are not stored; the runner must send the missing lines
 * first.
 */
export const appendLog = Effect.fnUntraced(function* (
  runner: Pick<Runner, "id">,
  { id, index, noMore, rows }: LogUpdate
) {
  const held = yield* jobOfRunner(runner, id)
  const { runId } = held
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      const store = yield* workflowJobs.store
      const job = yield* store.lock({ runId }, id)
      if (job === undefined) return yield* new WorkflowJobNotFound({ id })
      if (job.logDone || index > job.logLines || !isCount(index)) return job.logLines
      const at = yield* now
      const fresh = rows.slice(job.logLines - index)
      const piece = pieceOf(job, fresh, at)
      if (piece !== undefined) yield* Effect.orDie((yield* workflowLogs.store).insert(piece))
      const logLines = job.logLines + fresh.length
      const isFull = job.logSize >= largestLog || piece?.text === fullLine(at)
      yield* Effect.orDie(
        store.patch({ runId }, id, {
          logLines,
          logSize: isFull ? largestLog : job.logSize + encoder.encode(piece?.text ?? "").length,
          logDone: noMore,
          ...(job.status === "running" ? { aliveAt: aliveSince(job, at) } : {})
        })
      )
      return logLines
    })
  )
})
