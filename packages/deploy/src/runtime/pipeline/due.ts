import { logOutages, now, storable, Transaction, timeIn, timeOf } from "@slipway/domain"
import type { Due, DueRun, DueStore } from "@slipway/domain/deploy/apps"
import { longestMessage, nextRun } from "@slipway/domain/deploy/apps"
import type { TeamId } from "@slipway/domain/deploy/identity"
import type { NotificationMessage } from "@slipway/domain/deploy/infrastructure"
import { looksAreApart, WorkSignal } from "@slipway/domain/deploy/runtime"
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { recordNotification } from "../../infrastructure/notifications/record.ts"
import { failureReasonOf } from "./deployContext.ts"
import { makePlaces, type Place } from "./places.ts"

/** The result of an execution of a due job: its status and message. */
export type Ended = Pick<DueRun, "message" | "status">

/** Returns the result of a failed execution, with its error message. */
export const failedWith = (message: string): Ended => ({ status: "failed", message })

/**
 * Prepares a command's output for storage: keeps only the end, and removes NUL characters and invalid Unicode, which
 * PostgreSQL cannot store.
 */
export const storedOutput = (text: string): string => storable(text.slice(-longestMessage))

const lost = failedWith("the platform exited while it ran; its result is unknown")

/** A notification message, and the team that receives it. */
export interface TeamMessage {
  readonly teamId: TeamId
  readonly content: NotificationMessage
}

/** The functions and settings that differ between types of due jobs, such as backups and scheduled tasks. */
export interface DueJob<Row extends Due, Run extends DueRun, R> {
  /** The name of the job type in log messages. */
  readonly called: string
  readonly store: DueStore<Row, Run>
  /** Returns the notification about a finished execution; undefined if the target of the job was deleted. */
  readonly messageOf: (row: Row, run: Run) => Effect.Effect<TeamMessage | undefined, never, R>
  /**
   * The maximum number of executions up to which an interrupted execution is started again. Without it, interrupted
   * executions are not repeated.
   */
  readonly mostAttempts?: number
  /** Returns whether the target of the job exists. */
  readonly canBegin: (row: Row) => Effect.Effect<boolean, never, R>
  readonly runOf: (row: Row, at: string) => Effect.Effect<Run, never, R | SecureRandom.SecureRandom>
  /** The timeout of an execution in seconds. */
  readonly timeoutOf: (row: Row) => number
  readonly attempt: (
    row: Row,
    run: Run,
    place: Place
  ) => Effect.Effect<Partial<Run> & Ended, { readonly _tag: string }, R>
}

/** Stores the result of an execution, and queues its notification. */
const finish = Effect.fnUntraced(function* <Row extends Due, Run extends DueRun, R>(
  { messageOf, store }: Pick<DueJob<Row, Run, R>, "messageOf" | "store">,
  row: Row,
  run: Run
) {
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* store.finish(run)
      const message = yield* messageOf(row, run)
      if (message !== undefined) yield* recordNotification(message.teamId, message.content)
    })
  )
})

/**
 * Claims the next due job. Marks an execution that a killed process left as failed, and starts a new execution if the
 * job is due, requested or to be resumed.
 */
const take = Effect.fnUntraced(function* <Row extends Due, Run extends DueRun, R>(
  { canBegin, messageOf, mostAttempts = 0, runOf, store }: DueJob<Row, Run, R>,
  worker: string,
  lease: number
) {
  const transaction = yield* Transaction
  const time = yield* Clock.currentTimeMillis
  const [at, until] = [time, time + lease * 1_000].map(timeOf)
  if (at === undefined || until === undefined) return undefined
  return yield* transaction.run(
    Effect.gen(function* () {
      const row = yield* store.claim({ worker, at, until })
      if (row === undefined) return undefined
      const earlier = yield* store.executions(row.uuid)
      const interrupted = earlier.filter(({ status }) => status === "running")
      for (const run of interrupted) yield* finish({ messageOf, store }, row, { ...run, ...lost, finishedAt: at })
      const resumes = interrupted.length > 0 && earlier.length < mostAttempts
      const isDue = row.dueAt !== null && row.dueAt <= at
      // A requested run without a target reports that to its caller.
      const begins = row.isAsked || resumes || (isDue && (yield* canBegin(row)))
      const run = begins ? yield* runOf(row, at) : null
      yield* store.begin(row.uuid, isDue ? (nextRun(row.frequency, at) ?? null) : row.dueAt, run)
      if (run === null) yield* store.giveBack(row.uuid, worker)
      return { row, run }
    })
  )
})

const work = Effect.fnUntraced(function* <Row extends Due, Run extends DueRun, R>(
  { attempt, called, messageOf, store, timeoutOf }: DueJob<Row, Run, R>,
  { run, row }: { readonly row: Row; readonly run: Run },
  worker: string,
  lease: number,
  place: Place
) {
  const timeout = timeoutOf(row)
  const tooLong = `it took longer than ${timeout} seconds; its processes may still run in the container`
  const attempted: Effect.Effect<Partial<Run> & Ended, { readonly _tag: string }, R> = attempt(row, run, place)
  const fails = (message: string) => Effect.succeed(failedWith(message) as Partial<Run> & Ended)
  const ended = attempted.pipe(
    Effect.timeoutOrElse({ duration: timeout * 1_000, orElse: () => fails(tooLong) }),
    Effect.catch((error) => fails(failureReasonOf(error))),
    Effect.catchDefect((defect) =>
      Effect.andThen(Effect.logError(`a ${called} failed unexpectedly`, defect), fails("an unexpected error"))
    )
  )
  const third = (lease * 1_000) / 3
  /** Renews the lease periodically until another process has the lease or the job was deleted. */
  const watch = Effect.gen(function* () {
    for (;;) {
      yield* Effect.sleep(third)
      const until = yield* timeIn({ seconds: lease })
      const renewed = store.renew(row.uuid, { worker, at: yield* now, until }).pipe(
        // A worker with a slow store stops before its lease expires: another may begin after that.
        Effect.timeoutOrElse({ duration: third, orElse: () => Effect.succeed(false) })
      )
      if (!(yield* renewed)) return undefined
    }
  })
  const outcome = yield* Effect.raceFirst(ended, watch)
  if (outcome === undefined) return
  yield* finish({ messageOf, store }, row, { ...run, ...outcome, finishedAt: yield* now })
  yield* store.giveBack(row.uuid, worker)
})

/** Maximum number of concurrent executions in a process, not counting those on unresponsive servers. */
const concurrency = 100

/** Runs due jobs until it is interrupted, at most one execution at a time for each job. Polls every second. */
export const runDue = Effect.fnUntraced(function* <Row extends Due, Run extends DueRun, R>(
  job: DueJob<Row, Run, R>,
  settings: { readonly lease: number; readonly alone: boolean }
) {
  const random = yield* SecureRandom.SecureRandom
  const process = [...(yield* random.randomBytes(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  let turns = 0
  const scope = yield* Effect.scope
  const { notify, subscribe } = yield* WorkSignal
  const { store } = job
  const places = makePlaces(concurrency, notify)
  const notified = yield* subscribe
  let leftover = settings.alone
  const look = Effect.gen(function* () {
    if (leftover) yield* store.endLeases
    leftover = false
    while (places.isFree()) {
      // A unique name per turn: after its lease expired, a process may claim work that it still seems to perform.
      const worker = `${process}-${++turns}`
      const taken = yield* take(job, worker, settings.lease)
      if (taken === undefined) break
      const { row, run } = taken
      if (run === null) continue
      const giveBack = Effect.gen(function* () {
        const executions = yield* store.executions(row.uuid)
        // The attempt may have stored a part of its result.
        const present = executions.find(({ uuid }) => uuid === run.uuid) ?? run
        const stopped = { ...present, ...failedWith("the platform was stopped while it ran"), finishedAt: yield* now }
        if (present.status === "running") yield* finish(job, row, stopped)
        if (executions.length < (job.mostAttempts ?? 0)) yield* store.ask(row.uuid)
        yield* store.giveBack(row.uuid, worker)
      }).pipe(Effect.interruptible, Effect.timeout("2 seconds"), Effect.ignoreCause)
      const place = yield* places.begin
      const working = Effect.onInterrupt(work(job, { row, run }, worker, settings.lease, place), () => giveBack)
      yield* Effect.forkIn(Effect.ensuring(working, place.end), scope)
    }
  })
  return yield* look.pipe(
    logOutages(`looking up a due ${job.called} failed`),
    Effect.andThen(Effect.raceFirst(notified, Effect.sleep(looksAreApart))),
    Effect.forever
  )
}, Effect.scoped)
