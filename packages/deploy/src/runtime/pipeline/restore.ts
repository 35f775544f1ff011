import { logOutages, streamOf, timeAgo } from "@slipway/domain"
import {
  type Application,
  DeploymentStore,
  isActive,
  ReleaseStore,
  type ServingRelease,
  type ServingState
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import {
  type Container,
  type ContainerDetails,
  ContainerEngine,
  type Engine,
  servesDomains
} from "@slipway/domain/deploy/containers"
import { DatabaseStore, ownerOf, VolumeRestoreStore } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { isHandedOver, type Server, ServerStore, type ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { type Failure, failedAgain, type Plan } from "@slipway/domain/deploy/runtime"
import { Clock, Effect, Semaphore, Stream } from "effect"
import { changedSince, whyDegraded } from "../../apps/applications/Status.ts"
import { deployedVariables } from "../../apps/deployed-variables/variables.ts"
import { deployCommit } from "../../apps/deployments/Deployments.ts"
import { openProxy } from "../../containers/proxy/openProxy.ts"
import { saveReachability } from "../../infrastructure/notifications/record.ts"
import { accessTo } from "../../infrastructure/servers/accessTo.ts"
import { type DeployTarget, failureReasonOf, isPassing, openServing } from "./deployContext.ts"
import { endsByItself, isDone, planFor, refOf } from "./execute.ts"
import { type HealthCheckState, runHealthChecks } from "./health.ts"
import { type HealthReports, noHealthReports, reportHealth } from "./healthReports.ts"
import { type DatabaseCheckState, noDatabaseChecks, repairDatabases } from "./repairDatabases.ts"
import { presentUpstreams, routesFor, routeToErrorPage } from "./routes.ts"
import { recreateNetworks, startAgain } from "./startAgain.ts"
import { saveProblem } from "./statusChanges.ts"

/** The error with which a container failed to start. */
interface StartFailure {
  readonly _tag: string
}

const none: ReadonlySet<string> = new Set()

const failed = (what: string, error: StartFailure) =>
  Effect.logWarning(`could not start ${what}: ${failureReasonOf(error)}`)

const isSame = (one: ServingRelease | undefined, other: ServingRelease | undefined): boolean =>
  one?.deploymentUuid === other?.deploymentUuid

/**
 * Starts the containers of a plan that should run: those with a route, and those that have not completed their work
 * (exited with code 0).
 *
 * Recreates missing containers and networks. Returns the failures by container name.
 */
const startAll = Effect.fnUntraced(function* (engine: Engine, plan: Plan) {
  const failures = new Map<string, StartFailure>()
  const lost = yield* recreateNetworks(engine, plan.networks).pipe(
    Effect.catchTag(["EngineRefused", "NameTaken"], (error) => Effect.as(failed("a network", error), none))
  )
  for (const planned of plan.containers) {
    const { name } = planned.spec
    const isOver = engine.inspect(refOf(plan, planned)).pipe(
      Effect.map((details) => planned.port === null && isDone(planned, details)),
      // A missing container that exits by itself may have completed its work.
      Effect.catchTag("ContainerNotFound", () => Effect.succeed(planned.port === null && endsByItself(planned)))
    )
    const started = Effect.gen(function* () {
      if (!(yield* isOver)) yield* startAgain(engine, planned.spec, lost)
    })
    // A failing container does not block the others.
    yield* started.pipe(
      Effect.catchTag(
        ["ContainerNotFound", "EngineRefused", "ImageNotFound", "NameTaken", "NetworkNotFound", "PortTaken"],
        (error) => {
          failures.set(name, error)
          return failed(`the container ${name}`, error)
        }
      )
    )
  }
  return failures as ReadonlyMap<string, StartFailure>
})

/**
 * Routes an application's domains to its serving containers, and starts stopped containers, unless a deployment stopped
 * them.
 *
 * Removes routes to containers that cannot run, because another application may have got their address (invariant I28).
 *
 * Returns the reasons why containers failed to start, by container name; undefined if none had to be started.
 */
export const restore = Effect.fnUntraced(function* (target: DeployTarget, starts = true) {
  const { application, engine, network, proxy, server } = target
  const releases = yield* ReleaseStore
  let failures: ReadonlyMap<string, StartFailure> | undefined
  for (let isFirst = true; ; isFirst = false) {
    const serving = yield* releases.serving(application.uuid)
    const release = serving?.serverUuid === server.uuid ? yield* releases.find(serving.releaseUuid) : undefined
    if (serving !== undefined && release !== undefined) {
      const plan = yield* planFor(network, serving.deploymentUuid, release)
      if (starts) failures = yield* startAll(engine, plan)
      if (servesDomains(server.proxyType)) {
        const isStill = Effect.map(releases.serving(application.uuid), (present) => isSame(present, serving))
        yield* proxy.apply(
          application.uuid,
          yield* routesFor(release, yield* presentUpstreams({ engine }, plan)),
          isStill
        )
      }
      // A user stopped, moved or deleted it meanwhile.
    } else if (isFirst) return undefined
    else {
      failures = undefined
      yield* routeToErrorPage(target)
    }
    if (isSame(yield* releases.serving(application.uuid), serving)) return failures
  }
})

/** The state of a server at the last check. */
interface Seen {
  /** The container addresses of each serving deployment. */
  readonly places: ReadonlyMap<DeploymentUuid, string>
  /** Whether the server's proxy had a route to at least one of the containers. */
  readonly hasRoutes: boolean
  /** The times of the next health checks of the serving containers. */
  readonly health: HealthCheckState
  /** The failed starts of containers, by serving deployment. */
  readonly failures: Map<DeploymentUuid, Failure>
  readonly databases: DatabaseCheckState
  /** The reported health of the containers. */
  readonly reports: HealthReports
}

const nothing: Seen = {
  places: new Map(),
  hasRoutes: false,
  health: new Map(),
  failures: new Map(),
  databases: noDatabaseChecks,
  reports: noHealthReports
}

/** The value that stands for the addresses of a deployment if its routes could not be updated. */
const unknown = "unknown"

/** Removes the containers of deployments that failed or were cancelled while their server was unreachable. */
const reap = Effect.fnUntraced(function* (engine: Engine, running: ReadonlyArray<Pick<Container, "name" | "owner">>) {
  if (running.length === 0) return
  const statuses = yield* (yield* DeploymentStore).statusesOf(running.map(({ owner }) => owner.deployment))
  const releases = yield* ReleaseStore
  for (const { name, owner } of running) {
    const status = statuses.get(owner.deployment)
    if (status !== "failed" && status !== "cancelled") continue
    // A deployment that failed after its switch may serve since the last check.
    if ((yield* releases.serving(owner.application))?.deploymentUuid === owner.deployment) continue
    yield* engine.remove({ application: owner.application, name })
  }
})

/** Returns whether a worker is processing a deployment of an application, or restores one of its volumes. */
const isAtWork = Effect.fnUntraced(function* (application: ApplicationUuid) {
  if ((yield* (yield* VolumeRestoreStore).restoring).has(application)) return true
  const newest = yield* (yield* DeploymentStore).ofApplication(application, { limit: 100 })
  return newest.some(({ status }) => isActive(status))
})

const timeout = "1 minute"

/**
 * Redeploys the commit of the serving release (the release that receives requests) if its image is missing on the
 * server. If the configuration has changed since the release, it only returns a message: changes are deployed on
 * request only.
 */
const deployAgain = Effect.fnUntraced(function* (application: Application, serving: ServingRelease) {
  const gone = "the image is gone from the server"
  const release = yield* (yield* ReleaseStore).find(serving.releaseUuid)
  if (release === undefined) return `${gone}, and so is the release: deploy the application`
  const changed = changedSince(release, application, yield* deployedVariables(application.uuid))
  if (changed.length > 0) {
    return `${gone}, and the configuration has changed since (${changed.join(", ")}): deploy the application`
  }
  return yield* deployCommit(system("application.deploy", { application }), release.commit, serving).pipe(
    Effect.map(({ uuid }) => `${gone}: deployment ${uuid} rebuilds it`),
    Effect.catch(({ server }) => Effect.succeed(`${gone}, and the queue of \`${server}\` is full or paused`))
  )
})

/**
 * Starts and routes a serving release, and stores failures. Returns whether a start failed; undefined if no container
 * had to be started. While a deployment of the application is active, it starts no containers and returns "busy".
 */
const restoreServing = Effect.fnUntraced(function* (serving: ServingState) {
  const starts = !(yield* isAtWork(serving.applicationUuid))
  const target = yield* openServing(serving)
  const failures = yield* restore(target, starts)
  if (!starts) return "busy" as const
  if (failures === undefined) return undefined
  const isImageGone = [...failures.values()].some(({ _tag }) => _tag === "ImageNotFound")
  const reasons = [...failures].map(([name, error]) => `could not start ${name}: ${failureReasonOf(error)}`)
  const all = isImageGone ? [yield* deployAgain(target.application, serving)] : reasons
  const because = all.length === 0 ? null : all.join("; ")
  if (because !== serving.degraded) yield* saveProblem("degraded", serving, target.application, because)
  return because !== null
}, Effect.scoped)

/** Returns why a release without a running container is degraded; null if its containers completed their work. */
const whyStopped = Effect.fnUntraced(function* (engine: Engine, plan: Plan) {
  const found: Array<ContainerDetails> = []
  for (const planned of plan.containers) {
    const details = yield* engine
      .inspect(refOf(plan, planned))
      .pipe(Effect.catchTag("ContainerNotFound", () => Effect.succeed(null)))
    if (details !== null) found.push(details)
  }
  const reason = whyDegraded(found)
  if (reason !== "") return reason
  return plan.containers.some(({ port }) => port !== null) ? "its containers are stopped" : null
})

/**
 * Removes the routes of a serving release with stopped containers, because other containers may have got their
 * addresses (invariant I28). Stores the release as degraded, since nothing restarts the containers.
 */
const leadAway = Effect.fnUntraced(function* (serving: ServingState) {
  const { application, engine, network, proxy } = yield* openServing(serving)
  const releases = yield* ReleaseStore
  const release = yield* releases.find(serving.releaseUuid)
  if (release === undefined) return
  const isStill = Effect.map(releases.serving(application.uuid), (present) => isSame(present, serving))
  yield* proxy.apply(application.uuid, yield* routesFor(release, new Map()), isStill)
  const because = yield* whyStopped(engine, yield* planFor(network, serving.deploymentUuid, release))
  if (because !== serving.degraded) yield* saveProblem("degraded", serving, application, because)
}, Effect.scoped)

/** Returns whether the proxy of a server has a route of any serving application. It may have none after its restart. */
const routesThere = Effect.fnUntraced(function* (server: Server, servings: ReadonlyArray<ServingRelease>) {
  const proxy = yield* openProxy(server, yield* accessTo(server))
  for (const { applicationUuid } of servings) {
    if ((yield* proxy.read(applicationUuid)).length > 0) return true
  }
  return false
})

/** Checks a server: updates routes to moved containers, runs health checks, and starts or repairs what should run. */
const look = Effect.fnUntraced(function* (server: Server, seen: Seen | undefined, seconds: number) {
  const servings = yield* (yield* ReleaseStore).servingOn(server.uuid)
  // A server without resources is not polled: repeated failed logins may lock the platform out.
  const since = yield* timeAgo({ days: 1 })
  const restoring = yield* (yield* VolumeRestoreStore).restoring
  const allDatabases = yield* (yield* DatabaseStore).servingOn(server.uuid)
  const databases = allDatabases.filter(({ uuid }) => !restoring.has(ownerOf(uuid)))
  if (
    servings.length + allDatabases.length === 0 &&
    !(yield* (yield* DeploymentStore).cameToNothing(server.uuid, since))
  ) {
    return nothing
  }
  const engine = yield* (yield* ContainerEngine).open(yield* accessTo(server))
  const all = yield* Effect.timeout(engine.addresses, timeout)
  const serves = new Set([
    ...servings.map(({ deploymentUuid }) => deploymentUuid),
    ...allDatabases.flatMap(({ servingUuid }) => servingUuid ?? [])
  ])
  const others = all.filter(({ owner }) => !serves.has(owner.deployment))
  yield* Effect.timeout(reap(engine, others), timeout)
  const health: HealthCheckState = seen?.health ?? new Map()
  const serving = all.filter(({ owner }) => serves.has(owner.deployment))
  yield* Effect.ignore(Effect.timeout(runHealthChecks(engine, serving, health), timeout))
  const running = Map.groupBy(all, ({ owner }) => owner.deployment)
  const earlier = { databases: noDatabaseChecks, reports: noHealthReports, ...seen }
  const lookedAt = yield* repairDatabases(engine, databases, new Set(running.keys()), earlier.databases, seconds)
  const reports = yield* Effect.timeout(reportHealth(engine, servings, databases, earlier.reports), timeout).pipe(
    // Routes and starts do not depend on reports.
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning(`reporting the health of ${server.uuid} failed`, cause), earlier.reports)
    )
  )
  const at = yield* Clock.currentTimeMillis
  const failures = new Map<DeploymentUuid, Failure>()
  const found = new Map<DeploymentUuid, string>()
  const hadRoutes = seen?.hasRoutes ?? false
  const hasRoutes = yield* Effect.timeout(routesThere(server, servings), timeout).pipe(
    Effect.catchIf(
      (error) => error._tag !== "TimeoutError",
      () => Effect.succeed(hadRoutes)
    )
  )
  const isLost = hadRoutes && !hasRoutes
  for (const serving of servings) {
    const { applicationUuid, deploymentUuid } = serving
    const places = (running.get(deploymentUuid) ?? [])
      .map(({ addresses, name }) => `${name} ${JSON.stringify(addresses)}`)
      .toSorted()
      .join("\n")
    found.set(deploymentUuid, places)
    const before = isLost ? undefined : seen?.places.get(deploymentUuid)
    const failure = seen?.failures.get(deploymentUuid)
    const isRetried = failure !== undefined && failure.next <= at
    if (failure !== undefined) failures.set(deploymentUuid, failure)
    // A new release may run elsewhere than where its switch routed.
    if (before === places && (places !== "" || failure !== undefined) && !isRetried) continue
    const inTime = <A, E extends { readonly _tag: string }, R>(led: Effect.Effect<A, E, R>, otherwise: string) =>
      Effect.timeout(led, timeout).pipe(
        Effect.catchIf(
          (error) => error._tag !== "TimeoutError",
          (error) => {
            if (isPassing(error)) found.set(deploymentUuid, otherwise)
            return Effect.as(Effect.logWarning(`could not restore the routes of ${applicationUuid}`, error), undefined)
          }
        )
      )
    if (before !== undefined && places === "" && before !== unknown && !isRetried) {
      // Removed containers are recreated, with retries; stopped or exited ones stay down.
      const left = yield* engine.list({ application: applicationUuid, deployment: deploymentUuid })
      if (left.length > 0) {
        // A container that was just restarted gets its address back.
        const isOver = before !== "" && left.every(({ state }) => state !== "running" && state !== "restarting")
        if (isOver) yield* inTime(leadAway(serving), before)
        else if (before !== "") found.set(deploymentUuid, before)
        continue
      }
    }
    const hasFailed = yield* inTime(restoreServing(serving), unknown)
    // The check that starts what a power cut ended is repeated, in case the deployment fails.
    if (hasFailed === "busy" && (seen === undefined || before === unknown)) found.set(deploymentUuid, unknown)
    if (hasFailed === true) failures.set(deploymentUuid, failedAgain(failure, at, seconds))
    else if (hasFailed === false) failures.delete(deploymentUuid)
  }
  return { places: found, hasRoutes, health, failures, databases: lookedAt, reports } satisfies Seen
}, Effect.scoped)

/** The number of servers that are checked concurrently: responsive servers, and separately unresponsive servers. */
const concurrency = { answering: 8, silent: 4 }

/**
 * Keeps routes and containers in their desired state on all servers, until it is interrupted.
 *
 * Each check updates routes, because containers get new addresses when their server restarts, and a proxy may lose its
 * routes. It also removes leftovers of failed deployments and runs health checks.
 *
 * The first check of a server, and the first one after the server was unreachable, also starts stopped containers and
 * databases. Failed starts are retried with exponential backoff and stored with the serving release.
 *
 * A server that does not respond twice is reported as unreachable, and reported again when it responds. Checks of a
 * server are `seconds` apart. A slow server does not delay the checks of other servers.
 */
export const keepRoutes = Effect.fnUntraced(function* (seconds: number) {
  const servers = yield* ServerStore
  const seen = new Map<ServerUuid, Seen>()
  const silent = new Set<ServerUuid>()
  const reachable = new Map<ServerUuid, boolean>()
  const busy = new Set<ServerUuid>()
  const places = {
    answering: yield* Semaphore.make(concurrency.answering),
    silent: yield* Semaphore.make(concurrency.silent)
  }
  /** Stores whether a server responds, unless this process already stored the same value. */
  const report = (server: Server, isReachable: boolean) =>
    reachable.get(server.uuid) === isReachable
      ? Effect.void
      : Effect.andThen(
          saveReachability(server, isReachable),
          Effect.sync(() => reachable.set(server.uuid, isReachable))
        )
  const lookAt = (server: Server) =>
    look(server, seen.get(server.uuid), seconds).pipe(
      // A server without resources was not polled.
      Effect.tap((found) => (found === nothing ? Effect.void : report(server, true))),
      Effect.tap((found) =>
        Effect.sync(() => {
          seen.set(server.uuid, found)
          silent.delete(server.uuid)
        })
      ),
      Effect.catch(({ _tag }) => {
        // One failed check may be a restart; an engine that rejects requests answers.
        const isSilent = silent.has(server.uuid) && _tag !== "EngineRefused"
        seen.delete(server.uuid)
        silent.add(server.uuid)
        return isSilent ? report(server, false) : Effect.void
      }),
      Effect.catchCause((cause) => Effect.logWarning(`polling the server ${server.uuid} failed`, cause)),
      places[silent.has(server.uuid) ? "silent" : "answering"].withPermits(1),
      Effect.ensuring(Effect.sync(() => busy.delete(server.uuid)))
    )
  const begin = Effect.fnUntraced(function* (server: Server) {
    if (busy.has(server.uuid) || isHandedOver(server)) return
    busy.add(server.uuid)
    yield* Effect.forkScoped(lookAt(server))
  })
  return yield* streamOf(servers.list).pipe(
    Stream.runForEach(begin),
    logOutages("polling servers failed"),
    Effect.andThen(Effect.sleep(seconds * 1_000)),
    Effect.forever
  )
}, Effect.scoped)
