import {
  InvalidInput,
  joinProblems,
  makeUuid,
  noProblems,
  notAllowed,
  now,
  type Problems,
  Transaction
} from "@slipway/domain"
import type { DeletionFlags, EnvironmentUuid, Placement, PlacementQuery } from "@slipway/domain/deploy/apps"
import { DeletionStore, fields, noEnvironment } from "@slipway/domain/deploy/apps"
import { DeploymentUuid } from "@slipway/domain/deploy/base"
import type { LimitFields } from "@slipway/domain/deploy/containers"
import { isOwnImage } from "@slipway/domain/deploy/containers"
import {
  changedSettings,
  type Database,
  type DatabaseAction,
  type DatabaseHealth,
  type DatabaseKind,
  DatabaseNotFound,
  type DatabaseSsl,
  DatabaseStore,
  DatabaseUuid,
  defaultHealth,
  defaultSsl,
  kindFields,
  kindOf,
  ownerOf,
  type DatabaseSecretsSent as Sent,
  sealAll,
  sealSent,
  settingsFor,
  sslProblem
} from "@slipway/domain/deploy/databases"
import { type Authorized, authorize } from "@slipway/domain/deploy/entry"
import { requireHeld, ServerStore } from "@slipway/domain/deploy/infrastructure"
import { notifyWorkers } from "@slipway/domain/deploy/runtime"
import { Effect } from "effect"
import { queueDeletion } from "../apps/deletions/queueDeletion.ts"
import { place, placeIn } from "../apps/placement/place.ts"
import { formerPlaces } from "../apps/removal/leaving.ts"
import { attach } from "../apps/tags/Tags.ts"
import { listUseCase } from "../base/reading/listUseCases.ts"
import { requirePort } from "./ports.ts"
import { ensureAuthority } from "./ssl.ts"

/** The fields of a database that a request sets; omitted fields keep their value or take their default. */
export interface DatabaseInput extends Partial<Pick<Database, "description" | "image" | "isPublic" | "publicPort">> {
  readonly name?: string
  readonly limits: Partial<LimitFields>
  readonly health?: Partial<DatabaseHealth>
  readonly ssl?: Partial<DatabaseSsl>
  /** The fields that only this type of database has, by name. */
  readonly fields: Sent
}

/** The options of a new database that later requests cannot change. */
export interface DatabaseCreationOptions {
  readonly declaredBy?: Database["declaredBy"]
  readonly tags?: ReadonlyArray<string>
}

const noLimits: LimitFields = {
  limits_memory: fields.limits_memory.unset,
  limits_memory_swap: fields.limits_memory_swap.unset,
  limits_memory_swappiness: fields.limits_memory_swappiness.unset,
  limits_memory_reservation: fields.limits_memory_reservation.unset,
  limits_cpus: fields.limits_cpus.unset,
  limits_cpuset: fields.limits_cpuset.unset,
  limits_cpu_shares: fields.limits_cpu_shares.unset
}

/** Returns the problems of a database request that its schema cannot detect. */
const problemsOf = (kind: DatabaseKind, { fields: sent, health = {}, image, ssl = {} }: DatabaseInput): Problems => {
  const unsupported = sslProblem(kind, ssl)
  const hasOwnCheck = kindOf(kind).health === null && Object.keys(health).length > 0
  const own = kindOf(kind).fields
  const foreign = Object.keys(sent).filter((name) => Object.hasOwn(kindFields, name) && !Object.hasOwn(own, name))
  return joinProblems(
    Object.fromEntries(foreign.map((name) => [name, [notAllowed]])),
    unsupported === null ? {} : { [unsupported.field]: [unsupported.sentence] },
    hasOwnCheck ? { health_check_enabled: [`Containers of ${kind} use the health check of their image.`] } : {},
    // It may belong to another application (invariant I22).
    image !== undefined && isOwnImage(image) ? { image: ["Must be an image of a registry."] } : {}
  )
}

/** Stores a requested action (start, stop or restart) of a database as a new run, and wakes the workers. */
const requestAction = Effect.fnUntraced(function* (present: Database, action: DatabaseAction) {
  const runUuid = yield* makeUuid(DeploymentUuid)
  const database: Database = { ...present, action, state: "queued", reason: null, runUuid, updatedAt: yield* now }
  yield* Effect.orDie((yield* DatabaseStore).replace(database))
  yield* notifyWorkers
  return database
})

const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(effect))

/**
 * Creates a database. `instantDeploy` also starts it, if the caller may deploy. `declaredBy` names the repository
 * manifest that declares the database, and `tags` lists the names of its tags.
 */
export const create = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.create">,
  kind: DatabaseKind,
  input: DatabaseInput,
  where: PlacementQuery,
  instantDeploy: boolean,
  { declaredBy = null, tags = [] }: DatabaseCreationOptions = {}
) {
  const uuid = yield* makeUuid(DatabaseUuid)
  // Sealing is slow, so it runs outside the transaction.
  const secrets = yield* sealAll(uuid, kind, input.fields)
  return yield* within(
    Effect.gen(function* () {
      const namesEnvironment = where.environmentName !== undefined || where.environmentUuid !== undefined
      const problems = joinProblems(namesEnvironment ? {} : noEnvironment, problemsOf(kind, input))
      const { placement } = yield* place(resource.caller, where, problems)
      const at = yield* now
      const fresh = {
        uuid,
        kind,
        name: input.name ?? `${kind}-${uuid}`,
        description: input.description ?? "",
        image: input.image ?? kindOf(kind).image,
        placement,
        settings: settingsFor(kind, input.fields),
        secrets,
        limits: { ...noLimits, ...input.limits },
        health: { ...defaultHealth, ...input.health },
        ssl: { ...defaultSsl, ...input.ssl },
        certificateExpiresAt: null,
        isPublic: input.isPublic ?? false,
        publicPort: input.publicPort ?? null,
        declaredBy,
        action: null,
        state: "idle",
        reason: null,
        runUuid: null,
        servingUuid: null,
        unhealthy: null,
        claimedBy: null,
        leaseUntil: null,
        createdAt: at,
        updatedAt: at
      } as const
      yield* requirePort(fresh)
      const store = yield* DatabaseStore
      const database = yield* Effect.orDie(store.insert(fresh))
      if (database.ssl.isEnabled) yield* ensureAuthority(placement.teamId)
      yield* attach({ uuid: ownerOf(uuid), placement }, tags)
      if (!instantDeploy) return database
      yield* authorize(resource.caller, "database.deploy", { database })
      return yield* requestAction(database, "start")
    })
  )
})

/** Changes a database. The change takes effect with the next start or restart. Omitted fields stay unchanged. */
export const update = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.update">,
  { fields: sent, health = {}, limits, ssl = {}, ...input }: DatabaseInput
) {
  const { kind, uuid } = resource.database
  const problems = problemsOf(kind, { ...input, fields: sent, health, limits, ssl })
  if (!noProblems(problems)) return yield* new InvalidInput({ problems })
  // All secrets are sealed before the row is locked.
  const sealed = yield* sealSent(uuid, kind, sent)
  return yield* within(
    Effect.gen(function* () {
      const store = yield* DatabaseStore
      const present = yield* store.lock(uuid)
      if (present === undefined) return yield* new DatabaseNotFound()
      const database: Database = {
        ...present,
        ...input,
        settings: changedSettings(present, sent),
        secrets: { ...present.secrets, ...sealed },
        limits: { ...present.limits, ...limits },
        health: { ...present.health, ...health },
        ssl: { ...present.ssl, ...ssl },
        updatedAt: yield* now
      }
      const isMoved = database.isPublic !== present.isPublic || database.publicPort !== present.publicPort
      if (isMoved) yield* requirePort(database)
      yield* Effect.orDie(store.replace(database))
      // So that clients can read its certificate before the first start with TLS.
      if (database.ssl.isEnabled) yield* ensureAuthority(database.placement.teamId)
      return database
    })
  )
})

/** Moves a database to another environment; running containers are unaffected. */
export const move = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.update">,
  environmentUuid: EnvironmentUuid
) {
  return yield* within(
    Effect.gen(function* () {
      const store = yield* DatabaseStore
      const present = yield* store.lock(resource.database.uuid)
      if (present === undefined) return yield* new DatabaseNotFound()
      const placement = yield* placeIn(resource.caller, present.placement, environmentUuid)
      const database: Database = { ...present, placement, updatedAt: yield* now }
      yield* Effect.orDie(store.replace(database))
      return database
    })
  )
})

/** Builds the use case that requests an action of a database. It replaces an earlier unfinished request. */
const ask = (action: DatabaseAction) =>
  Effect.fnUntraced(function* ({ resource }: Authorized<"database.deploy">) {
    return yield* within(
      Effect.gen(function* () {
        const present = yield* (yield* DatabaseStore).lock(resource.database.uuid)
        if (present === undefined) return yield* new DatabaseNotFound()
        // Locked, so that a transfer of the server sees the request, or the request sees the transfer.
        const server = yield* (yield* ServerStore).lock(present.placement.serverUuid)
        if (server !== undefined) yield* requireHeld(server)
        return yield* requestAction(present, action)
      })
    )
  })

/** Requests a start of a database with its current settings and the newest image of the registry. */
export const start = ask("start")
/** Requests a restart of a database with its current settings and the image that the server already has. */
export const restart = ask("restart")
/** Requests a stop of a database. Its volume stays. */
export const stop = ask("stop")

/** Queues the repair of a database that should run. Does nothing if a newer action was requested. */
export const repair = Effect.fnUntraced(function* (
  { resource }: Authorized<"database.deploy">,
  serving: DeploymentUuid
) {
  return yield* within(
    Effect.gen(function* () {
      const present = yield* (yield* DatabaseStore).lock(resource.database.uuid)
      const isOpen = present?.state === "queued" || present?.state === "working"
      if (present !== undefined && !isOpen && present.servingUuid === serving) yield* requestAction(present, "repair")
    })
  )
})

/**
 * Requests a restart of a running database, which renews its certificate. Does nothing and returns false if another
 * action was requested.
 */
export const renewCertificate = Effect.fnUntraced(function* ({ resource }: Authorized<"database.deploy">) {
  return yield* within(
    Effect.gen(function* () {
      const present = yield* (yield* DatabaseStore).lock(resource.database.uuid)
      const isOpen = present?.state === "queued" || present?.state === "working"
      if (present === undefined || isOpen || present.servingUuid === null) return false
      yield* requestAction(present, "restart")
      return true
    })
  )
})

/** List use cases: `list` reads one page of databases, `stream` reads all. */
export const { list, stream } = listUseCase("database", DatabaseStore)

/**
 * Deletes a database immediately. A durable job later removes its container and data from the server.
 *
 * Returns the job, so that the caller can read its result.
 */
export const remove = Effect.fnUntraced(function* ({ resource }: Authorized<"database.delete">, flags: DeletionFlags) {
  return yield* within(
    Effect.gen(function* () {
      const store = yield* DatabaseStore
      const present = yield* store.lock(resource.database.uuid)
      if (present === undefined) return yield* new DatabaseNotFound()
      const { leaseUntil, name, placement, uuid } = present
      const moves = yield* (yield* DeletionStore).ofApplication(ownerOf(uuid))
      // Nothing refers to a database, so nothing can keep it.
      yield* Effect.orDie(store.remove(uuid))
      const removeFrom = ({ destinationUuid, serverUuid }: Pick<Placement, "destinationUuid" | "serverUuid">) =>
        queueDeletion(
          {
            applicationUuid: ownerOf(uuid),
            applicationName: name,
            serverUuid,
            destinationUuid,
            forgeLink: null,
            // A worker on this database notices the deletion before its lease expires, and creates nothing afterwards.
            leaseUntil
          },
          flags
        )
      for (const move of formerPlaces(moves, placement)) yield* removeFrom(move)
      return yield* removeFrom(placement)
    })
  )
})
