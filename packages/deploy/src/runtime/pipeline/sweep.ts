import { logOutages, now, streamOf, Transaction } from "@slipway/domain"
import type { ServingRelease } from "@slipway/domain/deploy/apps"
import {
  ApplicationStore,
  DeletionStore,
  DeploymentStore,
  hasEnded,
  nextRun,
  ReleaseStore
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import type { EngineFailure, ResourceInUse } from "@slipway/domain/deploy/containers"
import { ContainerEngine, type Engine, imageOwner } from "@slipway/domain/deploy/containers"
import type { Cleanup, Server, ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { CleanupStore, cleanupMessage, isHandedOver, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { DateTime, Duration, Effect, Stream } from "effect"
import * as Cleanups from "../../infrastructure/cleanups/Cleanups.ts"
import { recordNotification } from "../../infrastructure/notifications/record.ts"
import { accessTo } from "../../infrastructure/servers/accessTo.ts"
import { checkDisk, isDiskCheckDue } from "../checks/diskChecks.ts"
import { failureReasonOf } from "./deployContext.ts"
import { makePlaces, type Place } from "./places.ts"
import { removeStages } from "./prune.ts"

/**
 * Returns the deployments that ended and that no release uses. All leftovers of their builds can be removed.
 *
 * Excludes unknown deployments, because they may belong to another platform that uses the same engine.
 */
const overAmong = Effect.fnUntraced(function* (
  deployments: ReadonlyArray<DeploymentUuid>,
  running: ReadonlyArray<ServingRelease>
) {
  const statuses = yield* (yield* DeploymentStore).statusesOf(deployments)
  const releasesInUse = yield* (yield* ReleaseStore).keptOf(deployments)
  const serving = new Set(running.map(({ deploymentUuid }) => deploymentUuid))
  const ended = [...statuses].flatMap(([uuid, status]) => (hasEnded(status) ? [uuid] : []))
  return new Set(ended.filter((uuid) => !serving.has(uuid) && !releasesInUse.has(uuid)))
})

/** Finds the deletion that removed an application from a server; undefined if the application still exists. */
const deletionFrom = Effect.fnUntraced(function* (server: Server, application: ApplicationUuid) {
  if ((yield* (yield* ApplicationStore).find(application)) !== undefined) return undefined
  const all = yield* (yield* DeletionStore).ofApplication(application)
  return all.findLast(({ serverUuid }) => serverUuid === server.uuid)
})

/** Returns a function that caches the results of `ask`, one for each argument. */
const cachedByArgument = <A extends string, B, R>(ask: (about: A) => Effect.Effect<B, never, R>) => {
  const known = new Map<A, B>()
  return Effect.fnUntraced(function* (about: A) {
    const present = known.get(about)
    if (present !== undefined || known.has(about)) return present
    const answer = yield* ask(about)
    known.set(about, answer)
    return answer
  })
}

/** Removes a resource, and returns whether it is gone. A resource in use does not stop the cleanup. */
const isGone = (goes: Effect.Effect<boolean, EngineFailure | ResourceInUse>) =>
  Effect.catchTag(goes, ["ResourceInUse", "EngineRefused"], () => Effect.succeed(false))

/** Removes unused leftovers of builds and deletions from a server. Returns a summary as text. */
const sweepEngine = Effect.fnUntraced(function* (server: Server, engine: Engine) {
  const running = yield* (yield* ReleaseStore).servingOn(server.uuid)
  const deletion = cachedByArgument((application: ApplicationUuid) => deletionFrom(server, application))
  const stages = yield* engine.listStages
  const named = (yield* engine.listImages(null)).flatMap(({ tags }) => tags)
  const owners = named.flatMap((tag) => imageOwner(tag) ?? [])
  const over = yield* overAmong([...new Set([...stages, ...owners].map(({ deployment }) => deployment))], running)
  let images = yield* removeStages(engine, ({ deployment }) => over.has(deployment))
  for (const owner of owners.filter(({ deployment }) => over.has(deployment))) {
    // The deletion request may have asked to keep images.
    const gone = yield* deletion(owner.application)
    if (gone?.dockerCleanup === false) continue
    if (yield* isGone(engine.removeImage(owner))) images += 1
  }
  let networks = 0
  const connected = yield* engine.listNetworks(null)
  for (const { application, name } of connected) {
    if (application === null || (yield* deletion(application))?.deleteConnectedNetworks !== true) continue
    if (yield* isGone(engine.removeNetwork(application, name))) networks += 1
  }
  const isOurs = running.length > 0 || stages.length > 0 || named.length > 0 || connected.length > 0
  return { images, networks, isOurs }
})

const sweepServer = Effect.fnUntraced(function* (server: Server, place: Place) {
  const opened = Effect.flatMap(accessTo(server), (access) =>
    Effect.flatMap(ContainerEngine, (engines) => engines.open(access))
  )
  const engine = yield* place.reaching(Effect.tap(opened, ({ info }) => info))
  const { images, isOurs, networks } = yield* sweepEngine(server, engine)
  // Frees shared leftovers only on engines that the platform controls.
  const freed = isOurs ? yield* engine.freeUnused : 0
  return `removed ${images} images and ${networks} networks, and freed ${freed} bytes of unused data`
}, Effect.scoped)

const timeout = Duration.minutes(10)
const tooLong = { _tag: "TooLong", because: "it took longer than ten minutes" }

/** Returns whether the process that performed a cleanup was killed before the cleanup finished. */
const isLost = ({ status, updatedAt }: Cleanup, at: string) =>
  status === "running" &&
  DateTime.formatIso(DateTime.addDuration(DateTime.makeUnsafe(updatedAt), Duration.times(timeout, 1.1))) < at

/** Returns whether the next cleanup of a server is due. */
const isDue = ({ cleanupFrequency, createdAt }: Server, newest: Cleanup | undefined, at: string) => {
  if (newest?.status === "queued") return true
  if (newest?.status === "running") return isLost(newest, at)
  const due = nextRun(cleanupFrequency, newest?.createdAt ?? createdAt)
  return due !== undefined && due <= at
}

/** Starts a due cleanup of a server, unless another process performs one. */
const begin = Effect.fnUntraced(function* (uuid: ServerUuid) {
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const store = yield* CleanupStore
      const server = yield* (yield* ServerStore).lock(uuid)
      const [newest] = yield* store.ofServer(uuid)
      const at = yield* now
      if (server === undefined || !isDue(server, newest, at)) return undefined
      if (newest?.status === "queued") {
        const begun: Cleanup = { ...newest, status: "running", updatedAt: at }
        yield* store.replace(begun)
        return { server, begun }
      }
      if (newest?.status === "running") yield* finish(server, newest, "failed", "the platform exited while it ran")
      return { server, begun: yield* Cleanups.add(server, "running") }
    })
  )
})

/** Stores the result of a cleanup, and queues its notification. */
const finish = Effect.fnUntraced(function* (
  server: Server,
  cleanup: Cleanup,
  status: "success" | "failed",
  message: string
) {
  const at = yield* now
  yield* (yield* Transaction).run(
    Effect.gen(function* () {
      yield* (yield* CleanupStore).replace({ ...cleanup, status, message, updatedAt: at, finishedAt: at })
      yield* recordNotification(server.teamId, cleanupMessage(server, status === "failed"))
    })
  )
})

const cleanUp = Effect.fnUntraced(function* (uuid: ServerUuid, place: Place) {
  const taken = yield* begin(uuid)
  if (taken === undefined) return
  const { begun, server } = taken
  yield* sweepServer(server, place).pipe(
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(tooLong) }),
    Effect.matchEffect({
      onSuccess: (message) => finish(server, begun, "success", message),
      onFailure: (error) => finish(server, begun, "failed", failureReasonOf(error))
    }),
    Effect.onInterrupt(() =>
      finish(server, begun, "failed", "the platform was stopped while it ran").pipe(
        Effect.interruptible,
        Effect.timeout("2 seconds"),
        Effect.ignoreCause
      )
    )
  )
})

/** The number of servers that are cleaned up concurrently; unresponsive servers are not counted. */
const concurrency = 2

/**
 * Removes unused resources from servers when a cleanup is due or requested, and checks the disks, until it is
 * interrupted. Volumes are never removed.
 */
export const sweep = Effect.gen(function* () {
  const servers = yield* ServerStore
  const cleanups = yield* CleanupStore
  const places = makePlaces(concurrency, Effect.void)
  const busy = new Set<ServerUuid>()
  const lookAfter = Effect.fnUntraced(function* (uuid: ServerUuid, isCleanupDue: boolean, isCheckDue: boolean) {
    if (busy.has(uuid)) return
    busy.add(uuid)
    const done = Effect.acquireUseRelease(
      Effect.interruptible(places.begin),
      Effect.fnUntraced(function* (place) {
        if (isCleanupDue) yield* cleanUp(uuid, place)
        // After the cleanup, which may have freed space.
        if (isCheckDue) yield* place.reaching(checkDisk(uuid))
      }),
      ({ end }) => end
    )
    yield* done.pipe(
      Effect.catchCause((cause) => Effect.logWarning(`cleaning up the server ${uuid} failed`, cause)),
      Effect.ensuring(Effect.sync(() => busy.delete(uuid))),
      Effect.forkScoped
    )
  })
  const look = Effect.gen(function* () {
    const newest = new Map((yield* cleanups.newest).map((each) => [each.serverUuid, each]))
    const at = yield* now
    yield* Stream.runForEach(streamOf(servers.list), (server) => {
      if (isHandedOver(server)) return Effect.void
      const isCleanupDue = isDue(server, newest.get(server.uuid), at)
      const isCheckDue = isDiskCheckDue(server, at)
      return isCleanupDue || isCheckDue ? lookAfter(server.uuid, isCleanupDue, isCheckDue) : Effect.void
    })
  })
  return yield* look.pipe(
    logOutages("cleaning up servers failed"),
    Effect.andThen(Effect.sleep("5 seconds")),
    Effect.forever
  )
}).pipe(Effect.scoped)
