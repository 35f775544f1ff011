import { ApplicationStore, ServiceStore, ServiceUuid, type ServingState } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid, DeploymentUuid } from "@slipway/domain/deploy/base"
import type { Container, ContainerDetails, Engine } from "@slipway/domain/deploy/containers"
import { type Database, ownerOf } from "@slipway/domain/deploy/databases"
import { Effect } from "effect"
import { whyDegraded } from "../../apps/applications/Status.ts"
import { saveDatabaseUnhealthy, saveProblem } from "./statusChanges.ts"

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
  Effect.map(inspectEach(engine, containers), (found) => {
    const unhealthy = found.filter(({ health }) => health === "unhealthy")
    return unhealthy.length === 0 ? "" : whyDegraded(unhealthy)
  })

/** The containers of one application or database that should run. */
interface Watched {
  readonly application: ApplicationUuid
  readonly run: DeploymentUuid
  /** The parts of a service that users excluded from its status. */
  readonly excluded: ReadonlySet<string>
  /** The stored problem; null while none is known. */
  readonly known: string | null
}

const none: ReadonlySet<string> = new Set()

const counted = <A extends Listed>(containers: ReadonlyArray<A>, { excluded }: Pick<Watched, "excluded">) =>
  containers.filter(({ owner }) => !excluded.has(owner.service ?? ""))

/** Returns whether a run has containers, and those that count for its status work and have passed their health checks. */
const isHealthy = Effect.fnUntraced(function* (engine: Engine, watched: Watched) {
  const listed = yield* engine.list({ application: watched.application, deployment: watched.run })
  const counting = counted(listed, watched)
  if (counting.length === 0) return listed.length > 0
  const found = yield* inspectEach(engine, counting)
  return found.length > 0 && whyDegraded(found) === "" && found.every(({ health }) => health !== "starting")
})

/** Returns the excluded parts of the services among serving releases, by application. */
const excludedParts = Effect.fnUntraced(function* (servings: ReadonlyArray<ServingState>) {
  const uuids = servings.map(({ applicationUuid }) => ServiceUuid.make(applicationUuid))
  const services = yield* (yield* ServiceStore).findMany(uuids)
  return new Map<string, ReadonlySet<string>>(
    services.map(({ parts, uuid }) => [
      uuid,
      new Set(parts.flatMap(({ isExcludedFromStatus, name }) => (isExcludedFromStatus ? [name] : [])))
    ])
  )
})

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
  const changeOf = Effect.fnUntraced(function* (watched: Watched) {
    const { known, run } = watched
    const containers = counted(failing.get(run) ?? [], watched)
    if (containers.length > 0) {
      unhealthy.add(run)
      return known === null && before.unhealthy.has(run) ? containers : undefined
    }
    if (known === null || !(yield* isHealthy(engine, watched))) return undefined
    recovered.add(run)
    return before.recovered.has(run) ? [] : undefined
  })
  const changing = servings.filter(({ deploymentUuid, unhealthy }) => unhealthy !== null || failing.has(deploymentUuid))
  const excludedOf = yield* excludedParts(changing)
  for (const serving of changing) {
    const { applicationUuid: application, deploymentUuid: run, unhealthy: known } = serving
    const excluded = excludedOf.get(application) ?? none
    const containers = yield* changeOf({ application, run, excluded, known })
    if (containers === undefined) continue
    const found = yield* (yield* ApplicationStore).find(application)
    if (found === undefined) continue
    const because = containers.length === 0 ? null : yield* whyUnhealthy(engine, containers)
    if (because !== "") yield* saveProblem("unhealthy", serving, found, because)
  }
  for (const database of databases) {
    const { servingUuid: run, state, unhealthy: known, uuid } = database
    // The worker of a request reports its result.
    if (run === null || state === "queued" || state === "working") continue
    const containers = yield* changeOf({ application: ownerOf(uuid), run, excluded: none, known })
    if (containers === undefined) continue
    const because = containers.length === 0 ? null : yield* whyUnhealthy(engine, containers)
    if (because !== "") yield* saveDatabaseUnhealthy(database, run, because)
  }
  return { unhealthy, recovered } satisfies HealthReports
})
