import { forShares, isStoreUnavailable, logOutages, now, timeIn, traced } from "@slipway/domain"
import {
  type Job,
  JobLease,
  JobStore,
  type Lane,
  lanes,
  NoticeStore,
  type Work
} from "@slipway/domain/forge/background"
import { repositoryShare } from "@slipway/domain/forge/identity"
import { Cause, Duration, Effect, Schedule } from "effect"
import { JobHandlers } from "./JobHandlers.ts"

export { addJob as add } from "./addJob.ts"

/** The number of failed attempts of a job after which administrators get a notice. */
const quietAttempts = 3
const longestWait = Duration.hours(1)
/**
 * The maximum retry delay while the database or disk space is unavailable. It is short, because nothing signals when
 * they are back.
 */
const waitForRoom = Duration.seconds(4)

const failed = Effect.fnUntraced(function* ({ attempts, id, work }: Job, cause: Cause.Cause<unknown>) {
  const what = (yield* JobHandlers).describe(work)
  yield* Effect.logError(`${what} failed, attempt ${attempts}`, cause)
  const longest = isStoreUnavailable(cause) ? waitForRoom : longestWait
  const wait = Duration.min(Duration.seconds(2 ** Math.min(attempts, 20)), longest)
  yield* (yield* JobStore).putOff(id, yield* timeIn(wait))
  if (attempts < quietAttempts) return
  yield* (yield* NoticeStore).add(`${what} keeps failing; see the log of the service`, yield* now)
})

/** Renews the lease of a job repeatedly, so that no other worker takes over a job that runs long. */
const renew = Effect.fnUntraced(function* ({ id }: Pick<Job, "id">) {
  const [jobs, lease] = [yield* JobStore, yield* JobLease]
  return yield* Effect.sleep(Duration.divideUnsafe(lease, 3)).pipe(
    Effect.andThen(timeIn(lease)),
    Effect.flatMap((until) => jobs.putOff(id, until)),
    // Jobs are idempotent, so a short database outage is no reason to stop.
    Effect.catchDefect((defect) => Effect.logWarning("a job could not be stored", defect)),
    Effect.forever
  )
})

/** Renews the lease of a job that will run after the current work, so that no worker starts it in the meantime. */
export const keep = renew

/** Performs a job that this worker has claimed. Returns whether it succeeded. */
export const run = Effect.fnUntraced(function* (job: Job) {
  const jobs = yield* JobStore
  return yield* Effect.raceFirst(forShares(sharesOfWork(job.work))((yield* JobHandlers).perform(job)), renew(job)).pipe(
    traced("job", { job: job.work._tag }),
    Effect.flatMap((done) => {
      if (done === undefined) return Effect.void
      return done ? jobs.finish(job.id) : Effect.flatMap(now, (at) => jobs.putOff(job.id, at))
    }),
    Effect.as(true),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.as(failed(job, cause), false)
    )
  )
})

/** Returns the keys by which the work of a job is counted, so that capacity is shared fairly between repositories. */
const sharesOfWork = (work: Work): ReadonlyArray<string> =>
  "repositoryId" in work ? [repositoryShare(work.repositoryId)] : []

const take = Effect.fnUntraced(function* (which: { readonly id: number } | { readonly lane: Lane | undefined }) {
  const wanted = "id" in which ? which : { ...which, dueBy: yield* now }
  return yield* (yield* JobStore).take(wanted, yield* timeIn(yield* JobLease))
})

/**
 * Performs a job immediately after its transaction was committed.
 *
 * Returns `false` if the job fails. A worker retries a job that fails or was not started here.
 */
export const runNow = Effect.fnUntraced(function* (job: Pick<Job, "id"> | undefined) {
  const taken = job === undefined ? undefined : yield* take(job)
  return taken === undefined || (yield* run(taken))
})

const runLane = Effect.fnUntraced(function* (lane: Lane | undefined) {
  let count = 0
  for (let job = yield* take({ lane }); job !== undefined; job = yield* take({ lane })) {
    yield* run(job)
    count += 1
  }
  return count
})

/** Performs all due jobs, and returns their number. */
export const runDue = runLane(undefined)

const laneWorker = (lane: Lane, every: Duration.Input) =>
  runLane(lane).pipe(
    logOutages(`jobs of the lane ${lane} could not be looked up`),
    Effect.repeat(Schedule.spaced(every))
  )

/** Performs jobs when they are due, until interrupted. The lanes (separate queues) run concurrently. */
export const worker = (every: Duration.Input = "1 second") =>
  Effect.forEach(lanes, (lane) => laneWorker(lane, every), { concurrency: "unbounded", discard: true })
