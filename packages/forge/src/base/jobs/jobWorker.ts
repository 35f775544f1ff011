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

/** How often a job fails before administrators are notified. */
const quietAttempts = 3
const longestWait = Duration.hours(1)
/** The retry delay of a job that waits for resources or disk space, because nothing signals when they are back. */
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

/** Renews the lease of a job repeatedly, so that long work keeps its job. */
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

/** Holds the lease of a job that follows the current work, so that no worker starts it meanwhile. */
export const keep = renew

/** Performs a claimed job; returns whether it succeeded. */
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

/** Returns the repository that work belongs to, so that queues are fair between repositories. */
const sharesOfWork = (work: Work): ReadonlyArray<string> =>
  "repositoryId" in work ? [repositoryShare(work.repositoryId)] : []

const take = Effect.fnUntraced(function* (which: { readonly id: number } | { readonly lane: Lane | undefined }) {
  const wanted = "id" in which ? which : { ...which, dueBy: yield* now }
  return yield* (yield* JobStore).take(wanted, yield* timeIn(yield* JobLease))
})

/**
 * Performs a committed job now.
 *
 * A worker retries it if it fails or is not reached. Returns `false` if it failed here.
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

/** Performs all due jobs; returns how many. */
export const runDue = runLane(undefined)

const laneWorker = (lane: Lane, every: Duration.Input) =>
  runLane(lane).pipe(
    logOutages(`jobs of the lane ${lane} could not be looked up`),
    Effect.repeat(Schedule.spaced(every))
  )

/** Runs due jobs until it is interrupted, all lanes concurrently. */
export const worker = (every: Duration.Input = "1 second") =>
  Effect.forEach(lanes, (lane) => laneWorker(lane, every), { concurrency: "unbounded", discard: true })
