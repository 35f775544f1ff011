import {
  type Application,
  ApplicationStore,
  ServiceStore,
  ServiceUuid,
  type ServingState
} from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import type { Container, ContainerDetails, Engine } from "@slipway/domain/deploy/containers"
import { type Database, ownerOf } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { whyDegraded } from "../../apps/applications/Status.ts"
import { saveDatabaseUnhealthy, saveUnhealthy } from "./statusChanges.ts"

/** The runs with unhealthy containers in the last check of a server, and those with containers that recovered. */
export interface HealthReports {
  readonly unhealthy: ReadonlySet<DeploymentUuid>
  readonly recovered: ReadonlySet<DeploymentUuid>
}

/** The reports of a server that was not checked before. */
export const noHealthReports: HealthReports = { unhealthy: new Set(), recovered: new Set() }

type Listed = Pick<Container, "name" | "owner">

/** Returns the details of containers; those that were just removed are omitted. */
const inspectEach = Effect.fnUntraced(function* (engine: Engine, containers: ReadonlyArray<Listed>) {
  const found = yield* Effect.forEach(containers, ({ name, owner }) =>
    Effect.catchTag(
      engine.inspect({ application: owner.application, name }),
      "ContainerNotFound",
      () => Effect.undefined
    )
  )
  return found.filter((each): each is ContainerDetails => each !== undefined)
})

/** Returns which of the listed containers are unhealthy, and why; an empty text if none is any more. */
const whyUnhealthy = (engine: Engine, containers: ReadonlyArray<Listed>) =>
  Effect.map(inspectEach(engine, containers), (found) =>
    whyDegraded([...found.filter(({ health }) => health === "unhealthy")])
  )

/** Returns whether a run has containers, and all of them work and have passed their health checks. */
const isHealthy = Effect.fnUntraced(function* (engine: Engine, application: ApplicationUuid, run: DeploymentUuid) {
  const found = yield* inspectEach(engine, yield* engine.list({ application, deployment: run }))
  return found.length > 0 && whyDegraded(found) === "" && found.every(({ health }) => health !== "starting")
})

/** Returns the containers that count for the status of an application; users exclude parts of services. */
const counted = Effect.fnUntraced(function* ({ uuid, variant }: Application, containers: ReadonlyArray<Listed>) {
  if (variant !== "service") return containers
  const service = yield* (yield* ServiceStore).find(ServiceUuid.make(uuid))
  const excluded = new Set(service?.parts.flatMap((part) => (part.isExcludedFromStatus ? [part.name] : [])))
  return containers.filter(({ owner }) => !excluded.has(owner.service ?? ""))
})

/** The containers of one application or database that should run. */
interface Watched {
  readonly application: ApplicationUuid
  readonly run: DeploymentUuid
  /** The stored problem; null while none is known. */
  readonly known: string | null
}

/**
 * Stores which applications, services and databases of a server became unhealthy or healthy again, and queues
 * notifications.
 *
 * A container is unhealthy after the retries of its health check. Both changes count when two checks in a row find them,
 * so that a check that fails now and then reports nothing.
 */
export const reportHealth = Effect.fnUntraced(function* (
  engine: Engine,
  servings: ReadonlyArray<ServingState>,
  databases: ReadonlyArray<Database>,
  before: HealthReports
) {
  const failing = Map.groupBy(yield* engine.unhealthy, ({ owner }) => owner.deployment)
  const unhealthy = new Set<DeploymentUuid>()
  const recovered = new Set<DeploymentUuid>()
  /** Returns the change that two checks have found: the unhealthy containers, or none if they recovered. */
  const changeOf = Effect.fnUntraced(function* ({ application, known, run }: Watched) {
    const containers = failing.get(run)
    if (containers !== undefined) {
      unhealthy.add(run)
      return known === null && before.unhealthy.has(run) ? containers : undefined
    }
    if (known === null || !(yield* isHealthy(engine, application, run))) return undefined
    recovered.add(run)
    return before.recovered.has(run) ? [] : undefined
  })
  for (const serving of servings) {
    const { applicationUuid: application, deploymentUuid: run, unhealthy: known } = serving
    const containers = yield* changeOf({ application, run, known })
    if (containers === undefined) continue
    const found = yield* (yield* ApplicationStore).find(application)
    if (found === undefined) continue
    if (containers.length === 0) {
      yield* saveUnhealthy(serving, found, null)
      continue
    }
    const counting = yield* counted(found, containers)
    const because = counting.length === 0 ? "" : yield* whyUnhealthy(engine, counting)
    if (because !== "") yield* saveUnhealthy(serving, found, because)
  }
  for (const database of databases) {
    const { servingUuid: run, state, unhealthy: known, uuid } = database
    // The worker of a request reports its result.
    if (run === null || state === "queued" || state === "working") continue
    const containers = yield* changeOf({ application: ownerOf(uuid), run, known })
    if (containers === undefined) continue
    const because = containers.length === 0 ? null : yield* whyUnhealthy(engine, containers)
    if (because !== "") yield* saveDatabaseUnhealthy(database, run, because)
  }
  return { unhealthy, recovered } satisfies HealthReports
})
