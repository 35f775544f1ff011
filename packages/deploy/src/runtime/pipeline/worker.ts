import { logOutages, millisecondsOf, now, storable, timeIn, traced } from "@slipway/domain"
import type { Deployment, Release } from "@slipway/domain/deploy/apps"
import {
  ApplicationStore,
  canTransition,
  DeletionStore,
  type DeploymentStatus,
  DeploymentStore,
  hasEnded,
  PendingReportStore,
  ReleaseStore,
  type Turn
} from "@slipway/domain/deploy/apps"
import { ContainerEngine, proxyRefusal } from "@slipway/domain/deploy/containers"
import { DatabaseStore } from "@slipway/domain/deploy/databases"
import { ServerStore, TeamNotificationStore } from "@slipway/domain/deploy/infrastructure"
import { DeploymentLogStore, looksAreApart, mostLogs, WorkSignal } from "@slipway/domain/deploy/runtime"
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { report, reportingLeases } from "../../apps/commit-reports/report.ts"
import { expire } from "../../apps/deployments/approvals.ts"
import { deliver, deliveryLeases } from "../../infrastructure/notifications/deliver.ts"
import { accessTo } from "../../infrastructure/servers/accessTo.ts"
import { heldSeconds, makeAdmission, requireNoRestore, requireRequester } from "../admission/admission.ts"
import { buildRelease } from "./build.ts"
import { clean, cleaningLeases } from "./clean.ts"
import { workOnDatabase } from "./databases.ts"
import { type DeployWaiting, fail, failureReasonOf, logLines, openDeployContext, openServing } from "./deployContext.ts"
import { checkHealth, planFor, startContainers, stopAll, switchOver, undo } from "./execute.ts"
import { makePlaces, type Place } from "./places.ts"
import { prune } from "./prune.ts"
import { restore } from "./restore.ts"
import { resumeContainers } from "./startAgain.ts"
import { saveEnd } from "./statusChanges.ts"
import { makeTimeout, makeWaiting, persistently } from "./waitTracker.ts"

export { watchHooks } from "../../apps/forge-links/rotateHooks.ts"
export { watchForges } from "../../infrastructure/forge-apps/watchForges.ts"
export { certificateInterval, watchCertificates } from "../checks/certificateChecks.ts"
export { databaseCertificateInterval, renewDatabaseCertificates } from "../checks/databaseCertificates.ts"
export { sampleMetrics } from "../checks/metrics.ts"
export { drainLogs } from "../logs/drainLogs.ts"
export { runBackups } from "./backups/backups.ts"
export { runRestores } from "./backups/restores.ts"
export { runVolumeBackups } from "./backups/volumeBackups.ts"
export { runVolumeRestores } from "./backups/volumeRestores.ts"
export { forgetOld } from "./forget.ts"
export { keepRoutes } from "./restore.ts"
export { sweep } from "./sweep.ts"
export { runTasks } from "./tasks.ts"

/** The settings of a worker process. */
export interface WorkerSettings {
  /** The time in seconds after which the lease of a job expires, unless the worker renews it. */
  readonly lease: number
  /** Whether no other process uses the same store. Then leases of a killed process need not expire first. */
  readonly alone: boolean
  /** The time in seconds for which old containers keep running after the switch, to finish active requests. */
  readonly drain: number
  /** Maximum number of concurrent deployments of a process, not counting those on unresponsive servers. */
  readonly atOnce: number
  /** The number of releases of an application, with their images, that are kept for rollbacks. */
  readonly keptReleases: number
  /** The interval between two checks of a server's containers and routes, in seconds. */
  readonly look: number
  /** The time in seconds that a deployment waits for a server or a proxy that does not respond. */
  readonly timeout: number
}

/** The default settings of a worker process. */
export const usualSettings: WorkerSettings = {
  lease: 15,
  alone: false,
  drain: 3,
  atOnce: 8,
  keptReleases: 10,
  look: 20,
  timeout: 300
}

const claimOf = Effect.fnUntraced(function* (worker: string, lease: number) {
  return { worker, at: yield* now, until: yield* timeIn({ seconds: lease }) }
})

/** The error when another process has taken over a deployment, because the lease expired. */
class LeaseLost {
  readonly _tag = "LeaseLost"
}

const move = Effect.fnUntraced(function* (worker: string, from: Deployment, facts: Partial<Deployment>) {
  const next = { ...from, ...facts, updatedAt: yield* now }
  if (next.status !== from.status && !canTransition(from.status, next.status)) {
    return yield* Effect.die(new Error(`a deployment cannot change from ${from.status} to ${next.status}`))
  }
  const saved = hasEnded(next.status)
    ? yield* saveEnd(next, worker)
    : yield* (yield* DeploymentStore).save(next, worker)
  return saved ? next : yield* Effect.fail(new LeaseLost())
})

const factsOf = ({ commit, commitMessage, imageId }: Release) => ({ commit, commitMessage, imageId })
/** Fails if the release to stop or restart was moved to another server after the request. */
const requireHere = Effect.fnUntraced(function* ({ applicationUuid, serverUuid }: Deployment) {
  const serving = yield* (yield* ReleaseStore).serving(applicationUuid)
  if (serving !== undefined && serving.serverUuid !== serverUuid) {
    return yield* fail("the application now serves on another server")
  }
})

/** Advances a deployment through all of its remaining states. Each step is idempotent and can be repeated. */
const advance = Effect.fnUntraced(function* (
  worker: string,
  taken: Deployment,
  { drain, keptReleases }: WorkerSettings,
  waiting: DeployWaiting,
  place: Place
) {
  const go = (from: Deployment, status: DeploymentStatus, facts: Partial<Deployment> = {}) => {
    waiting.over()
    return Effect.tap(move(worker, from, { ...facts, status, reason: null }), () => logLines(from, [status]))
  }
  const open = (from: Deployment, isAsked = place.isLeft()) =>
    place.reaching(
      // An open connection does not prove that the engine answers.
      Effect.tap(openDeployContext(from, waiting), ({ engine }) => (isAsked ? engine.info : Effect.void))
    )
  // An attempt that timed out may have progressed further than the claimed row.
  let deployment = (yield* (yield* DeploymentStore).find(taken.uuid)) ?? taken
  if (deployment.status === "preparing") yield* requireNoRestore(deployment)
  if (deployment.action === "stop" || deployment.action === "restart") yield* requireHere(deployment)
  if (deployment.action === "stop") {
    if (deployment.status === "preparing") deployment = yield* go(deployment, "switching")
    yield* stopAll(yield* open(deployment))
    return yield* go(deployment, "finished", { finishedAt: yield* now })
  }
  const refusal = proxyRefusal((yield* (yield* ServerStore).find(deployment.serverUuid))?.proxyType ?? "none")
  if (refusal !== null) return yield* fail(refusal)
  const admit = makeAdmission(deployment)
  if (deployment.status === "preparing") {
    yield* requireRequester(deployment)
    if (deployment.releaseUuid === null) yield* admit(deployment.commit)
    yield* open(deployment, true)
    deployment = yield* go(deployment, "building")
  }
  const context = yield* open(deployment)
  const release = yield* buildRelease(context, admit)
  const plan = yield* planFor(context.network, deployment.uuid, release)
  if (deployment.status === "checking" || deployment.status === "switching") yield* resumeContainers(context, plan)
  if (deployment.status === "building") {
    deployment = yield* go(deployment, "starting", { ...factsOf(release) })
  }
  if (deployment.status === "starting") {
    yield* startContainers(context, plan)
    deployment = yield* go(deployment, "checking")
  }
  if (deployment.status === "checking") {
    yield* checkHealth(context, plan)
    deployment = yield* go(deployment, "switching")
  }
  yield* switchOver(context, plan, release, drain)
  // The next deployment can remove leftovers.
  yield* Effect.ignore(prune(context, release.configuration.docker_images_to_keep ?? keptReleases))
  return yield* go(deployment, "finished", { finishedAt: yield* now })
}, Effect.scoped)

/**
 * Removes the containers and other results of a failed deployment, and restores the previous release. The caller
 * retries it while the server does not respond.
 */
const takeBack = Effect.fnUntraced(function* (deployment: Deployment) {
  const server = yield* (yield* ServerStore).find(deployment.serverUuid)
  if (server === undefined) return
  const serving = yield* (yield* ReleaseStore).serving(deployment.applicationUuid)
  // The serving containers stay.
  if (serving?.deploymentUuid === deployment.uuid) return
  const engine = yield* (yield* ContainerEngine).open(yield* accessTo(server))
  yield* undo({ deployment, engine })
  if (serving?.serverUuid === deployment.serverUuid) {
    yield* restore(yield* openServing(serving))
  }
}, Effect.scoped)

const end = Effect.fnUntraced(function* (
  worker: string,
  uuid: Deployment["uuid"],
  lease: number,
  reason: string | null,
  place: Place
) {
  const present = yield* (yield* DeploymentStore).renew(uuid, yield* claimOf(worker, lease))
  if (present === undefined) return
  // A preparing deployment has created nothing yet, and its server may never have answered.
  const taking = present.status === "preparing" ? Effect.void : takeBack(present)
  yield* persistently(taking, () => place.leave).pipe(
    Effect.timeout("1 minute"),
    Effect.ignore,
    // It ends anyway: the previous release may be unreadable.
    Effect.catchDefect((defect) => Effect.logError("the leftovers of a deployment could not be removed", defect))
  )
  const isGone = (yield* (yield* ApplicationStore).find(present.applicationUuid)) === undefined
  const why = storable(reason ?? (isGone ? "the application was deleted" : "cancelled"))
  yield* logLines(present, [why], "stderr")
  yield* move(worker, present, {
    status: reason === null ? "cancelled" : "failed",
    reason: why,
    finishedAt: yield* now
  })
})

type Outcome = "done" | "lost" | "cancelled" | "late" | { readonly because: string } | { readonly held: string }
const isRequestedToEnd = (outcome: Outcome): boolean => outcome === "cancelled" || outcome === "late"
const unexpected: Outcome = { because: "an unexpected error" }

/** The factor by which the timeout of a deployment is longer during the switch, which should not be interrupted. */
const switchingLimits = 3
const tookLonger = (seconds: number, { shown }: DeployWaiting) => `it took longer than ${seconds} seconds${shown()}`

/** Returns a deployment to the queue, with the reason. It is claimed again after some seconds. */
const hold = Effect.fnUntraced(function* (worker: string, taken: Deployment, reason: string) {
  const isHeld = yield* (yield* DeploymentStore).hold(taken.uuid, reason, yield* claimOf(worker, heldSeconds))
  // Otherwise its end was requested, or another worker has it.
  if (!isHeld) return "cancelled" as const
  if (taken.reason !== reason) yield* logLines(taken, [reason])
  return "done" as const
})

/** Performs a claimed deployment until it ends or another process takes it over. */
const work = Effect.fnUntraced(function* (worker: string, taken: Deployment, settings: WorkerSettings, place: Place) {
  const { lease } = settings
  const store = yield* DeploymentStore
  yield* (yield* DeploymentLogStore).prune(taken.applicationUuid, mostLogs)
  const server = yield* (yield* ServerStore).find(taken.serverUuid)
  const startedAt = millisecondsOf(taken.startedAt ?? taken.createdAt)
  const limit = server?.dynamicTimeout ?? 3600
  const waiting = makeWaiting(worker, taken)
  let isSwitching = taken.status === "switching"
  /** Renews the lease until the work must stop. Returns why it must stop. */
  const watch: Effect.Effect<Outcome> = Effect.gen(function* () {
    for (;;) {
      yield* Effect.sleep("1 second")
      const present: Deployment | undefined = yield* store.renew(taken.uuid, yield* claimOf(worker, lease)).pipe(
        // A worker with a slow store stops before its lease expires: another may work after that.
        Effect.timeoutOrElse({ duration: (lease - 2) * 1000, orElse: () => Effect.undefined })
      )
      if (present === undefined) return "lost"
      isSwitching = present.status === "switching"
      const elapsed = ((yield* Clock.currentTimeMillis) - startedAt) / 1000
      if (present.status === "switching") {
        if (elapsed > limit * switchingLimits) return { because: tookLonger(limit * switchingLimits, waiting) }
        continue
      }
      if (present.cancelRequested) return "cancelled"
      if (elapsed > limit) return "late"
    }
  })
  const timeout = makeTimeout(waiting, () => (isSwitching ? Number.POSITIVE_INFINITY : settings.timeout))
  const met = (error: { readonly _tag: string }) => Effect.andThen(place.leave, timeout(error))
  const advanced = persistently(advance(worker, taken, settings, waiting, place), met).pipe(
    Effect.as<Outcome>("done"),
    Effect.catch((error) =>
      Effect.succeed<Outcome>(
        error._tag === "LeaseLost"
          ? "lost"
          : error._tag === "DeploymentHeld"
            ? { held: error.because }
            : { because: failureReasonOf(error) }
      )
    ),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("a deployment failed unexpectedly", defect), unexpected))
  )
  const isCancelled = taken.cancelRequested && taken.status !== "switching"
  const reached: Outcome = isCancelled ? "cancelled" : yield* Effect.raceFirst(advanced, watch)
  const outcome = typeof reached === "object" && "held" in reached ? yield* hold(worker, taken, reached.held) : reached
  if (outcome === "done" || outcome === "lost") return
  // Interrupted while it stored the switch: the process that takes it after the lease expires continues with it.
  if (isRequestedToEnd(outcome) && (yield* store.find(taken.uuid))?.status === "switching") return
  const keep = Effect.forever(
    Effect.andThen(
      Effect.sleep("1 second"),
      Effect.flatMap(claimOf(worker, lease), (claim) => store.renew(taken.uuid, claim))
    )
  )
  const reason = outcome === "cancelled" ? null : outcome === "late" ? tookLonger(limit, waiting) : outcome.because
  yield* Effect.raceFirst(Effect.ignore(end(worker, taken.uuid, lease, reason, place)), keep)
})

/** Releases leases at shutdown; waits at most two seconds for the store, since leases expire by themselves. */
const ended = (giveBack: Effect.Effect<void>): Effect.Effect<void> =>
  giveBack.pipe(
    Effect.interruptible,
    Effect.timeout("2 seconds"),
    Effect.catchCause(() => Effect.void)
  )

/** A queue of work that workers claim. */
interface Claimed<Row extends { readonly uuid: string }> {
  readonly claim: (turn: Turn) => Effect.Effect<Row | undefined>
  readonly giveBack: (uuid: Row["uuid"], worker: string) => Effect.Effect<void>
  readonly endLeases: Effect.Effect<void>
}

const lookForWork = Effect.fnUntraced(function* (settings: WorkerSettings) {
  const random = yield* SecureRandom.SecureRandom
  const process = [...(yield* random.randomBytes(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  let turns = 0
  /**
   * Returns a unique worker name for each claim. Otherwise a process that was suspended beyond its lease could confuse
   * a new claim with the expired one.
   */
  const turn = () => `${process}-${++turns}`
  const scope = yield* Effect.scope
  const { notify, subscribe } = yield* WorkSignal
  const looking = Effect.fnUntraced(function* <Row extends { readonly uuid: string }, R>(
    job: string,
    store: Claimed<Row>,
    lease: number,
    works: (worker: string, taken: Row, place: Place) => Effect.Effect<void, never, R>,
    prepare: (at: string) => Effect.Effect<void, never, R> = () => Effect.void
  ) {
    let leftover = settings.alone
    const places = makePlaces(settings.atOnce, notify)
    const notified = yield* subscribe
    const look = Effect.gen(function* () {
      if (leftover) yield* store.endLeases
      leftover = false
      while (places.isFree()) {
        const worker = turn()
        const claim = yield* claimOf(worker, lease)
        yield* prepare(claim.at)
        const taken = yield* store.claim(claim)
        if (taken === undefined) break
        const place = yield* places.begin
        const working = Effect.onInterrupt(traced("job", { job })(works(worker, taken, place)), () =>
          ended(store.giveBack(taken.uuid, worker))
        )
        // Completed work may unblock other work.
        yield* Effect.forkIn(Effect.ensuring(working, Effect.andThen(place.end, notify)), scope)
      }
    })
    return yield* look.pipe(
      logOutages("looking up queued deployments failed"),
      Effect.andThen(Effect.raceFirst(notified, Effect.sleep(looksAreApart))),
      Effect.forever
    )
  })
  // Concurrently: waiting deletions do not delay deployments.
  return yield* Effect.raceAllFirst([
    looking(
      "deployment",
      yield* DeploymentStore,
      settings.lease,
      (worker, taken, place) => work(worker, taken, settings, place),
      // A claim cancels expired deployments too, but keeps their previews.
      expire
    ),
    looking("deletion", yield* DeletionStore, settings.lease * cleaningLeases, (worker, taken, place) =>
      clean(worker, taken, settings.lease, place)
    ),
    looking("report", yield* PendingReportStore, settings.lease * reportingLeases, report),
    looking("notification", yield* TeamNotificationStore, settings.lease * deliveryLeases, deliver),
    looking("database", yield* DatabaseStore, settings.lease, (worker, taken, place) =>
      workOnDatabase(worker, taken, settings, place)
    )
  ])
}, Effect.scoped)

/**
 * Performs queued deployments, deletions, reports, notifications and database actions until it is interrupted.
 *
 * Work that this process queues starts immediately; work that other processes queue starts within a second.
 *
 * When a process shuts down, other processes resume its work immediately. Work of a killed process is resumed when its
 * lease expires, or at the next start if `alone` is set.
 */
export const run = (settings: WorkerSettings = usualSettings) => lookForWork(settings)
