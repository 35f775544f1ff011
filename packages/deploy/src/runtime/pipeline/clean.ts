import { now, timeIn } from "@slipway/domain"
import type { Deletion } from "@slipway/domain/deploy/apps"
import { ApplicationStore, DeletionStore, DeploymentStore, hasEnded, ReleaseStore } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import type { ResourceInUse } from "@slipway/domain/deploy/containers"
import { ContainerEngine, imageOwner, type StageImage } from "@slipway/domain/deploy/containers"
import { DatabaseStore, databaseOf } from "@slipway/domain/deploy/databases"
import { ServerStore } from "@slipway/domain/deploy/infrastructure"
import { DeploymentLogStore } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { cleanRepository } from "../../apps/forge-links/link.ts"
import { openProxy } from "../../containers/proxy/openProxy.ts"
import { accessTo } from "../../infrastructure/servers/accessTo.ts"
import type { Place } from "./places.ts"
import { removeStages } from "./prune.ts"

/** The resources of an application that a deletion removed or could not remove. */
interface Journal {
  readonly removed: Array<string>
  readonly left: Array<string>
  readonly save: Effect.Effect<void>
}

/**
 * Removes a resource of a deletion. The removal is recorded before it happens: if the process is killed, the next
 * process could not find out what was removed.
 */
const remove = Effect.fnUntraced(function* <E, R>(
  { left, removed, save }: Journal,
  thing: string,
  goes: Effect.Effect<boolean, E | ResourceInUse, R>
) {
  removed.push(thing)
  yield* save
  const isGone = yield* Effect.catchTag(goes, "ResourceInUse", () => Effect.succeed(false))
  if (isGone) return
  removed.splice(removed.lastIndexOf(thing), 1)
  left.push(thing)
})

/** Removes the resources of an application from its server, according to the options of the deletion. */
const cleanUp = Effect.fnUntraced(function* (deletion: Deletion, journal: Journal, place: Place) {
  const application = deletion.applicationUuid
  const server = yield* (yield* ServerStore).find(deletion.serverUuid)
  if (server === undefined) return void journal.left.push("all resources on the server, which was deleted")
  const present = yield* (yield* ApplicationStore).find(application)
  const serving = yield* (yield* ReleaseStore).serving(application)
  if (present?.placement.serverUuid === server.uuid && serving === undefined) {
    return void journal.left.push("all resources, because the application moved back to the server")
  }
  const database = yield* (yield* DatabaseStore).find(databaseOf(application))
  if (database?.placement.serverUuid === server.uuid) {
    return void journal.left.push("all resources, because the database moved back to the server")
  }
  const access = yield* accessTo(server)
  const { engine, proxy } = yield* place.reaching(
    Effect.gen(function* () {
      const engine = yield* (yield* ContainerEngine).open(access)
      // An open connection does not prove that the engine answers.
      yield* engine.info
      return { engine, proxy: yield* openProxy(server, access) }
    })
  )
  const note = <E>(isWanted: boolean, thing: string, goes: Effect.Effect<boolean, E | ResourceInUse>) =>
    isWanted ? remove(journal, thing, goes) : Effect.sync(() => void journal.left.push(thing))
  // Routes first, so that no visitor reaches removed containers; another application may take a free domain.
  if ((yield* proxy.read(application)).length > 0) {
    yield* note(true, `routes ${application}`, Effect.as(proxy.remove(application), true))
  }
  const containers = yield* engine.list({ application })
  const owners = (yield* engine.listImages(application)).flatMap(({ tags }) =>
    tags.flatMap((tag) => {
      const owner = imageOwner(tag)
      return owner?.application === application ? [{ owner, tag }] : []
    })
  )
  const stages = (yield* engine.listStages).filter((stage) => stage.application === application)
  const built = [...containers, ...owners].map(({ owner }) => owner.deployment)
  const statuses = yield* (yield* DeploymentStore).statusesOf([
    ...new Set([...built, ...stages.map(({ deployment }) => deployment)])
  ])
  // A restored application may be deployed at any time; deployments created from here on are excluded.
  const isOver = (deployment: DeploymentUuid) => {
    const status = statuses.get(deployment)
    return status === undefined || hasEnded(status)
  }
  for (const { name } of containers.filter(({ owner }) => isOver(owner.deployment))) {
    const ref = { application, name }
    const stopped = Effect.catchTag(engine.stop(ref), "ContainerNotFound", () => Effect.void)
    yield* note(true, `container ${name}`, Effect.as(Effect.andThen(stopped, engine.remove(ref)), true))
  }
  for (const { owner, tag } of owners.filter((each) => isOver(each.owner.deployment))) {
    yield* note(deletion.dockerCleanup, `image ${tag}`, engine.removeImage(owner))
  }
  if (deletion.dockerCleanup) {
    const over = new Set(stages.map(({ deployment }) => deployment).filter(isOver))
    const isStageOver = (stage: StageImage) => stage.application === application && over.has(stage.deployment)
    const count = yield* removeStages(engine, isStageOver)
    if (count > 0) journal.removed.push(`stages of builds ${application}`)
  }
  for (const { name } of yield* engine.listVolumes(application)) {
    yield* note(deletion.deleteVolumes, `volume ${name}`, engine.removeVolume(application, name))
  }
  for (const { name } of yield* engine.listNetworks(application)) {
    yield* note(deletion.deleteConnectedNetworks, `network ${name}`, engine.removeNetwork(application, name))
  }
}, Effect.scoped)

/** Removes the webhook and the deploy key of a deleted application from its repository. */
const unhook = Effect.fnUntraced(function* ({ applicationUuid, forgeLink }: Deletion, journal: Journal) {
  if (forgeLink === null) return
  const { name, owner } = forgeLink
  yield* remove(journal, `webhook and deploy key of ${owner}/${name}`, cleanRepository(forgeLink, applicationUuid))
})

/** Deletes the deployment logs of an application, unless the application still exists. */
const forget = Effect.fnUntraced(function* ({ applicationUuid }: Deletion) {
  if ((yield* (yield* ApplicationStore).find(applicationUuid)) !== undefined) return
  yield* (yield* DeploymentLogStore).prune(applicationUuid, 0)
})

const mostWait = 600

/** The lease of a deletion, in deployment leases. It is never renewed: a deletion ends before it expires. */
export const cleaningLeases = 4

/** Performs a deletion. Retries with exponential backoff if the server does not respond. */
export const clean = Effect.fnUntraced(
  function* (worker: string, taken: Deletion, lease: number, place: Place) {
    const store = yield* DeletionStore
    const removed = [...taken.removed]
    const left: Array<string> = []
    const stored = Effect.fnUntraced(function* (facts: Partial<Deletion>) {
      const gone = [...new Set(removed)].filter((thing) => !left.includes(thing))
      yield* store.save({ ...taken, ...facts, removed: gone, updatedAt: yield* now }, worker)
    })
    const journal = { removed, left, save: stored({}) }
    yield* cleanUp(taken, journal, place).pipe(
      Effect.andThen(unhook(taken, journal)),
      Effect.timeout(lease * (cleaningLeases - 1) * 1000),
      Effect.andThen(forget(taken)),
      Effect.flatMap(() => stored({ status: "finished", left, reason: null, leaseUntil: null })),
      Effect.catch((error) =>
        Effect.flatMap(timeIn({ seconds: Math.min(2 ** taken.attempts, mostWait) }), (leaseUntil) =>
          stored({ status: "queued", reason: "because" in error ? error.because : error._tag, leaseUntil })
        )
      )
    )
  },
  Effect.catchDefect((defect) => Effect.logError("a deletion failed unexpectedly", defect))
)
