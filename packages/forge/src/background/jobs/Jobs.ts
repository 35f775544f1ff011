import { now, StoreUnavailable, timeIn, traced } from "@slipway/domain"
import {
  type Job,
  JobLease,
  JobStore,
  type Lane,
  lanes,
  NoticeStore,
  type Work
} from "@slipway/domain/forge/background"
import { MailDelivery } from "@slipway/domain/forge/integrations"
import { Cause, Duration, Effect, Schedule } from "effect"
import { type StartNews, startRuns } from "../../automation/workflows/startRuns.ts"
import { settleTurns } from "../../automation/workflows/turning.ts"
import { addJob } from "../../base/jobs/addJob.ts"
import * as Pushes from "../../code/pushes/Pushes.ts"
import { deleteRepositories, removeGit } from "../../code/repositories/deletion.ts"
import { forkGit, generate, makeGit, pointHead } from "../../code/repositories/gitJobs.ts"
import { land } from "../../collaboration/issues/landing.ts"
import { deliver } from "../../collaboration/notifications/deliver.ts"
import { NewsMail } from "../../collaboration/notifications/NewsMail.ts"
import { tellRelease } from "../../collaboration/notifications/tellRelease.ts"
import { askOwners } from "../../collaboration/pulls/codeOwners.ts"
import { finishMerge } from "../../collaboration/pulls/finishMerge.ts"
import * as Refreshing from "../../collaboration/pulls/refresh.ts"
import { measureGit } from "../../collaboration/recognition/measuring.ts"

export { addJob as add }

/** How often a job fails before administrators are told. */
const quietAttempts = 3
const longestWait = Duration.hours(1)
/** What waits for room or for a disk is tried again this soon, since nothing tells when that is back. */
const waitForRoom = Duration.seconds(4)

const isForRoom = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof StoreUnavailable)

/** Does the work of a job; answers whether nothing is left of it, and nothing where somebody else has it by now. */
const perform = Effect.fnUntraced(function* (job: Job) {
  const { work } = job
  switch (work._tag) {
    case "MakeGit":
      yield* makeGit(work)
      return true
    case "ForkGit":
      yield* forkGit(work)
      return true
    case "GenerateGit":
      yield* generate(work)
      return true
    case "PointHead":
      yield* pointHead(work.repositoryId)
      return true
    case "SettlePush":
      yield* Pushes.settle(work.pushId)
      return true
    case "LandCommits":
      yield* land(work.pushId)
      return true
    case "MeasureGit":
      yield* measureGit(work.repositoryId)
      return true
    case "RemoveGit":
      yield* removeGit(work.repositoryId)
      return true
    case "RemoveGits":
      yield* Effect.forEach(work.repositoryIds, removeGit, { discard: true })
      return true
    case "DeleteRepositories":
      return yield* deleteRepositories(work)
    case "Notify":
      return yield* deliver({ ...job, work })
    case "RefreshPulls":
      yield* Effect.orDie(Refreshing.refreshBranch(work.repositoryId, work.branch))
      return true
    case "RefreshPull":
      yield* Effect.orDie(Refreshing.refreshPull(work.issueId))
      return true
    case "AskOwners":
      yield* Effect.orDie(askOwners(work.issueId))
      return true
    case "FinishMerge":
      yield* Effect.orDie(finishMerge(work.issueId))
      return true
    case "ForgetPull":
      yield* Effect.orDie(Refreshing.forgetHead(work.repositoryId, work.number))
      return true
    case "StartRuns":
      // BOUNDARY: it is what `startLater` left.
      yield* Effect.orDie(startRuns(work.repositoryId, work.news as StartNews))
      return true
    case "SettleTurns":
      yield* settleTurns(work.repositoryId, work.group)
      return true
    case "SendMail":
      // What could not be sent is a failure of the job, which tries again.
      yield* Effect.orDie((yield* MailDelivery).deliver(work.id, work.sealed))
      return true
    case "TellRelease":
      return yield* tellRelease({ ...job, work })
    case "SendNews":
      return yield* Effect.orDie((yield* NewsMail).deliver({ ...job, work }))
  }
})

const named: { readonly [T in Work["_tag"]]: (work: Extract<Work, { _tag: T }>) => string } = {
  MakeGit: ({ repositoryId }) => `making the git repository of repository ${repositoryId}`,
  ForkGit: ({ from, repositoryId }) => `copying the git repository of repository ${from} to ${repositoryId}`,
  GenerateGit: ({ from, repositoryId }) => `making repository ${repositoryId} from the template ${from}`,
  PointHead: ({ repositoryId }) => `setting the default branch of repository ${repositoryId}`,
  SettlePush: ({ pushId }) => `recording push ${pushId}`,
  LandCommits: ({ pushId }) => `reading the commits of push ${pushId}`,
  MeasureGit: ({ repositoryId }) => `measuring the git repository of repository ${repositoryId}`,
  RemoveGit: ({ repositoryId }) => `removing the git repository of the deleted repository ${repositoryId}`,
  RemoveGits: ({ repositoryIds }) => `removing the git repositories of ${repositoryIds.length} deleted repositories`,
  DeleteRepositories: ({ organizationId }) => `deleting the repositories of organization ${organizationId}`,
  Notify: ({ issueId }) => `telling who follows issue ${issueId}`,
  RefreshPulls: ({ repositoryId, branch }) => `looking at the pull requests of ${branch} in repository ${repositoryId}`,
  RefreshPull: ({ issueId }) => `looking at the pull request of issue ${issueId}`,
  AskOwners: ({ issueId }) => `asking owners for reviews of the pull request of issue ${issueId}`,
  FinishMerge: ({ issueId }) => `merging the pull request of issue ${issueId}`,
  ForgetPull: ({ number, repositoryId }) => `removing pull request ${number} of repository ${repositoryId} from git`,
  StartRuns: ({ repositoryId }) => `starting workflows of repository ${repositoryId}`,
  SettleTurns: ({ repositoryId }) => `saying whose turn it is in a group of repository ${repositoryId}`,
  SendMail: () => "sending mail",
  TellRelease: ({ releaseId }) => `telling who watches of release ${releaseId}`,
  SendNews: ({ repositoryId }) => `sending letters with news of repository ${repositoryId}`
}

const failed = Effect.fnUntraced(function* ({ attempts, id, work }: Job, cause: Cause.Cause<unknown>) {
  const what = named[work._tag](work as never)
  yield* Effect.logError(`${what} failed, attempt ${attempts}`, cause)
  const longest = isForRoom(cause) ? waitForRoom : longestWait
  const wait = Duration.min(Duration.seconds(2 ** Math.min(attempts, 20)), longest)
  yield* (yield* JobStore).putOff(id, yield* timeIn(wait))
  if (attempts < quietAttempts) return
  yield* (yield* NoticeStore).add(`${what} keeps failing; the log of the service says why`, yield* now)
})

/** Says again and again that somebody is at a job, so that work that takes long stays theirs. */
const renew = Effect.fnUntraced(function* ({ id }: Pick<Job, "id">) {
  const [jobs, lease] = [yield* JobStore, yield* JobLease]
  return yield* Effect.sleep(Duration.divideUnsafe(lease, 3)).pipe(
    Effect.andThen(timeIn(lease)),
    Effect.flatMap((until) => jobs.putOff(id, until)),
    // What is done twice does no harm, so a database that is away for a moment is no reason to stop.
    Effect.catchDefect((defect) => Effect.logWarning("a job could not be kept", defect)),
    Effect.forever
  )
})

/** Says again and again that somebody is at work whose job comes after it, so that nobody else begins the job meanwhile. */
export const keep = renew

/** Does a job that was taken; answers whether that went well. */
export const run = Effect.fnUntraced(function* (job: Job) {
  const jobs = yield* JobStore
  return yield* Effect.raceFirst(perform(job), renew(job)).pipe(
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

const take = Effect.fnUntraced(function* (which: { readonly id: number } | { readonly lane: Lane | undefined }) {
  const wanted = "id" in which ? which : { ...which, dueBy: yield* now }
  return yield* (yield* JobStore).take(wanted, yield* timeIn(yield* JobLease))
})

/**
 * Does a job now that was added in a transaction which is committed.
 *
 * What fails, or isn't come to, is done later by a worker. Answers `false` for what failed here.
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

/** Does all jobs that are due; answers how many there were. */
export const runDue = runLane(undefined)

const laneWorker = (lane: Lane, every: Duration.Input) =>
  runLane(lane).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.logError("jobs could not be looked up", cause)
    ),
    Effect.repeat(Schedule.spaced(every))
  )

/** Does jobs as they become due, until it is interrupted, those of all lanes beside each other. */
export const worker = (every: Duration.Input = "1 second") =>
  Effect.forEach(lanes, (lane) => laneWorker(lane, every), { concurrency: "unbounded", discard: true })
