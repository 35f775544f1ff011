import { now, timeIn } from "@slipway/domain"
import { StorageStore, VariableStore } from "@slipway/domain/deploy/apps"
import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import { type Container, type ContainerSpec, type Engine, InstancePolicy } from "@slipway/domain/deploy/containers"
import {
  containerOf,
  type Database,
  DatabaseStore,
  type DatabaseWork,
  openDatabase as open,
  ownerOf,
  VolumeRestoreStore
} from "@slipway/domain/deploy/databases"
import { DestinationStore, ServerStore } from "@slipway/domain/deploy/infrastructure"
import type { PlannedContainer } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { SharedVariables, Variables } from "../../apps/index.ts"
import { filesOf } from "../../apps/storages/Storages.ts"
import { issueCertificate } from "../../databases/ssl.ts"
import { openEngine } from "../../infrastructure/servers/validate.ts"
import { fail, failureReasonOf, type Waiting } from "./deployContext.ts"
import { refOf, until } from "./execute.ts"
import { fetchImage, presentImage } from "./images.ts"
import type { Place } from "./places.ts"
import { recreateNetworks, startAgain } from "./startAgain.ts"
import { saveDatabaseEnd } from "./statusChanges.ts"
import { makeTimeout, persistently } from "./waitTracker.ts"

/** Connects to the container engine of a database's server. */
const openTarget = Effect.fnUntraced(function* ({ placement }: Database, place: Place) {
  const server = yield* (yield* ServerStore).find(placement.serverUuid)
  const destination = yield* (yield* DestinationStore).find(placement.destinationUuid)
  if (server === undefined || destination === undefined) return yield* fail("the server was deleted")
  // An open connection does not prove that the engine answers.
  const engine = yield* place.reaching(Effect.tap(openEngine(server), ({ info }) => info))
  return { engine, network: destination.network, server }
})

type Target = Effect.Success<ReturnType<typeof openTarget>>

const stopAll = Effect.fnUntraced(function* (
  engine: Engine,
  { uuid }: Database,
  isMeant: (run: string) => boolean = () => true
) {
  const application = ownerOf(uuid)
  const all = (yield* engine.list({ application })).filter(({ owner }) => isMeant(owner.deployment))
  for (const { name } of all) {
    yield* Effect.catchTag(engine.stop({ application, name }), "ContainerNotFound", () => Effect.void)
  }
  return all
})

const removeAll = Effect.fnUntraced(function* (engine: Engine, containers: ReadonlyArray<Container>) {
  for (const { name, owner } of containers) yield* engine.remove({ application: owner.application, name })
})

/** Returns the image of a database. For a restart, it is the image on the server if present; otherwise it is pulled. */
const imageOf = (engine: Engine, { action, image, placement }: Database, waiting: Waiting) => {
  const fetched = Effect.andThen(
    waiting.on(`the image \`${image}\``),
    fetchImage(engine, image, placement.teamId, () => Effect.void)
  )
  if (action === "start") return fetched
  return Effect.catchTag(presentImage(engine, image, "not on the server"), "ImageNotFound", () => fetched)
}

/** Returns the decrypted values of a database's variables, in which references to shared variables are replaced. */
const openVariablesOf = Effect.fnUntraced(function* ({ placement, uuid }: Database) {
  const stored = yield* (yield* VariableStore).ofApplication(ownerOf(uuid))
  const { missing, variables } = yield* SharedVariables.resolve(placement, stored)
  // There is no log for a warning, as deployments have.
  if (missing.length > 0) return yield* fail(`unknown shared variables: ${missing.join(", ")}`)
  return yield* Variables.open(variables)
})

/**
 * Returns the specification of a database's container with its current settings, and the end of the validity of its
 * certificate, which is null without TLS.
 */
const specOf = Effect.fnUntraced(function* (
  database: Database,
  run: DeploymentUuid,
  image: string,
  { network, server }: Target
) {
  const storages = yield* (yield* StorageStore).ofApplication(ownerOf(database.uuid))
  const { hostAccess } = yield* InstancePolicy
  const onHost = storages.find(({ hostPath }) => hostPath !== null)
  if (onHost !== undefined && !hostAccess) {
    return yield* fail(`the storage ${onHost.name} mounts a server path, which this instance does not allow`)
  }
  const variables = yield* openVariablesOf(database)
  const directories = storages.filter(({ content }) => content === null)
  const values = yield* open(database)
  const { certificateExpiresAt, files } = yield* issueCertificate(database, server, values)
  const spec = containerOf(database, run, {
    image,
    network,
    values,
    variables,
    storages: directories,
    files: [...(yield* filesOf(storages)), ...files]
  })
  return { spec, certificateExpiresAt }
})

/** Waits until the container of a database is healthy. */
const requireHealthy = Effect.fnUntraced(function* (engine: Engine, spec: ContainerSpec, waiting: Waiting) {
  const planned: PlannedContainer = { spec, port: null, takesTurns: true, after: [] }
  const plan = { application: spec.owner.application, containers: [planned] }
  const { health } = yield* engine.inspect(refOf(plan, planned))
  const isChecked = spec.healthCheck !== "disabled" && (spec.healthCheck ?? health) !== null
  const state = isChecked ? "healthy" : "started"
  yield* until({ engine, waiting }, plan, [{ container: spec.name, state }])
})

/**
 * Starts the container of a database, or recreates it with current settings. Waits until it is healthy. Returns the end
 * of the validity of the container's certificate.
 */
const repair = Effect.fnUntraced(function* (
  serving: DeploymentUuid,
  database: Database,
  target: Target,
  waiting: Waiting
) {
  const { engine, network } = target
  const application = ownerOf(database.uuid)
  const lost = yield* recreateNetworks(engine, [{ name: network, application: null }])
  yield* waiting.on("other containers of the database to exit")
  yield* stopAll(engine, database, (other) => other !== serving)
  const isThere = (yield* engine.list({ application, deployment: serving })).length > 0
  // An existing container starts without its image, and the registry may be unreachable.
  const image = isThere && lost.size === 0 ? database.image : (yield* imageOf(engine, database, waiting)).id
  const { certificateExpiresAt, spec } = yield* specOf(database, serving, image, target)
  yield* startAgain(engine, spec, lost)
  yield* requireHealthy(engine, spec, waiting)
  return isThere && lost.size === 0 ? database.certificateExpiresAt : certificateExpiresAt
})

/**
 * Starts a database in a new container after the old one is stopped: two must not write to one volume. Returns the end
 * of the validity of the container's certificate.
 */
const bringUp = Effect.fnUntraced(function* (
  { run }: DatabaseWork,
  database: Database,
  target: Target,
  waiting: Waiting
) {
  const { engine, network } = target
  const image = yield* imageOf(engine, database, waiting)
  yield* engine.ensureNetwork(network, null)
  const { certificateExpiresAt, spec } = yield* specOf(database, run, image.id, target)
  // If creating the container fails, the running one is unaffected.
  yield* engine.create(spec)
  yield* waiting.on("the previous container to exit")
  const others = yield* stopAll(engine, database, (other) => other !== run)
  // Repeated failed starts leave at most two containers.
  yield* removeAll(
    engine,
    others.filter(({ owner }) => owner.deployment !== database.servingUuid)
  )
  yield* engine.start({ application: spec.owner.application, name: spec.name })
  yield* requireHealthy(engine, spec, waiting)
  return certificateExpiresAt
})

/** Waits until no volume of a database is restored: its container must not start meanwhile. */
const untilRestored = Effect.fnUntraced(function* ({ uuid }: Database, waiting: Waiting) {
  const store = yield* VolumeRestoreStore
  while ((yield* store.restoring).has(ownerOf(uuid))) {
    yield* waiting.on("the restore of a storage")
    yield* Effect.sleep("1 second")
  }
})

const advance = Effect.fnUntraced(function* (work: DatabaseWork, database: Database, waiting: Waiting, place: Place) {
  if (database.action !== "stop") yield* untilRestored(database, waiting)
  const target = yield* openTarget(database, place)
  const done = Effect.fnUntraced(function* (
    servingUuid: Database["servingUuid"],
    certificateExpiresAt: Database["certificateExpiresAt"]
  ) {
    const facts = { state: "done", reason: null, servingUuid, certificateExpiresAt, updatedAt: yield* now } as const
    return yield* saveDatabaseEnd(work, database, facts)
  })
  if (database.action === "stop") {
    yield* stopAll(target.engine, database)
    return void (yield* done(null, null))
  }
  if (database.action === "repair") {
    const { servingUuid } = database
    const expiresAt = servingUuid === null ? null : yield* repair(servingUuid, database, target, waiting)
    return void (yield* done(servingUuid, expiresAt))
  }
  const certificateExpiresAt = yield* bringUp(work, database, target, waiting)
  if (!(yield* done(work.run, certificateExpiresAt))) return
  const { engine } = target
  const others = Effect.map(engine.list({ application: ownerOf(database.uuid) }), (all) =>
    all.filter(({ owner }) => owner.deployment !== work.run)
  )
  // The next start can remove leftovers.
  yield* Effect.ignore(Effect.flatMap(others, (containers) => removeAll(engine, containers)))
}, Effect.scoped)

/** Stops the new container of a failed start, keeps its log readable, and restarts the previous container. */
const takeBack = Effect.fnUntraced(function* ({ run }: DatabaseWork, database: Database, place: Place) {
  const { engine } = yield* openTarget(database, place)
  const application = ownerOf(database.uuid)
  yield* stopAll(engine, database, (each) => each === run)
  const before = (yield* engine.list({ application })).find(({ owner }) => owner.deployment === database.servingUuid)
  if (before !== undefined) yield* engine.start({ application, name: before.name })
}, Effect.scoped)

type Outcome = "done" | "lost" | { readonly because: string }

/** Performs the requested action of a database until the action succeeds, fails, or is replaced by a newer request. */
export const workOnDatabase = Effect.fnUntraced(function* (
  worker: string,
  taken: Database,
  { lease, timeout }: { readonly lease: number; readonly timeout: number },
  place: Place
) {
  const { certificateExpiresAt, runUuid: run, servingUuid, uuid } = taken
  if (run === null) return
  const store = yield* DatabaseStore
  const work = { uuid, run, worker }
  const limit = (yield* (yield* ServerStore).find(taken.placement.serverUuid))?.dynamicTimeout ?? 3_600
  let lastReported = ""
  const waiting: Waiting = {
    on: Effect.fnUntraced(function* (what: string) {
      if (what === lastReported) return
      lastReported = what
      yield* store.save(work, {
        state: "working",
        reason: `waiting for ${what}`,
        servingUuid,
        certificateExpiresAt,
        updatedAt: yield* now
      })
    }),
    over: () => {
      lastReported = ""
    },
    shown: () => (lastReported === "" ? "" : `, waiting for ${lastReported}`)
  }
  /** Renews the lease periodically until it is lost. */
  const watch = Effect.gen(function* () {
    for (;;) {
      yield* Effect.sleep("1 second")
      const renewed = store.renew(work, yield* timeIn({ seconds: lease })).pipe(
        // A worker with a slow store stops before its lease expires: another may work after that.
        Effect.timeoutOrElse({ duration: (lease - 2) * 1_000, orElse: () => Effect.succeed(false) })
      )
      if (!(yield* renewed)) return "lost" as const
    }
  })
  const met = makeTimeout(waiting, () => timeout)
  const advanced = persistently(advance(work, taken, waiting, place), (error) =>
    Effect.andThen(place.leave, met(error))
  ).pipe(
    Effect.as<Outcome>("done"),
    Effect.timeoutOrElse({
      duration: limit * 1_000,
      orElse: () => Effect.succeed<Outcome>({ because: `it took longer than ${limit} seconds${waiting.shown()}` })
    }),
    Effect.catch((error) => Effect.succeed<Outcome>({ because: failureReasonOf(error) })),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("a database failed unexpectedly", defect), {
        because: "an unexpected error"
      } as Outcome)
    )
  )
  const outcome = yield* Effect.raceFirst(advanced, watch)
  if (outcome !== "done" && outcome !== "lost") {
    const taking = persistently(takeBack(work, taken, place), () => place.leave).pipe(
      Effect.timeout("1 minute"),
      Effect.ignore,
      Effect.catchDefect((defect) => Effect.logError("the leftovers of a database could not be removed", defect))
    )
    yield* Effect.raceFirst(taking, watch)
    const kept = { servingUuid, certificateExpiresAt } as const
    const facts = { state: "failed", reason: outcome.because, ...kept, updatedAt: yield* now } as const
    yield* saveDatabaseEnd(work, taken, facts)
  }
  yield* store.giveBack(uuid, worker)
})
