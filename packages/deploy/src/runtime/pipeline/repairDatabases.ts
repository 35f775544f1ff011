import type { DeploymentUuid } from "@slipway/domain/deploy/base"
import type { Engine } from "@slipway/domain/deploy/containers"
import { type Database, ownerOf } from "@slipway/domain/deploy/databases"
import { system } from "@slipway/domain/deploy/entry"
import { type Failure, failedAgain } from "@slipway/domain/deploy/runtime"
import { Clock, Effect } from "effect"
import { repair } from "../../databases/Databases.ts"

/** The state of a server's databases at the last check, by the run that created the container. */
export interface DatabaseCheckState {
  /** The databases that were running, or that a user stopped. */
  readonly known: ReadonlySet<DeploymentUuid>
  readonly failures: ReadonlyMap<DeploymentUuid, Failure>
}

/** The initial state of a server before the first check of its databases. */
export const noDatabaseChecks: DatabaseCheckState = { known: new Set(), failures: new Map() }

const isOpen = ({ state }: Database): boolean => state === "queued" || state === "working"

const hasFailed = ({ action, state }: Database): boolean => action === "repair" && state === "failed"

/**
 * Queues the repair of databases that should run but do not. A worker then starts or recreates their containers.
 *
 * Failed repairs are retried with exponential backoff; the first retry is after `seconds`. A container that a user
 * stopped while the platform was connected stays stopped.
 */
export const repairDatabases = Effect.fnUntraced(function* (
  engine: Engine,
  databases: ReadonlyArray<Database>,
  running: ReadonlySet<DeploymentUuid>,
  before: DatabaseCheckState,
  seconds: number
) {
  const at = yield* Clock.currentTimeMillis
  const known = new Set<DeploymentUuid>()
  const failures = new Map<DeploymentUuid, Failure>()
  for (const database of databases) {
    const { servingUuid, uuid } = database
    if (servingUuid === null) continue
    const failure = before.failures.get(servingUuid)
    if (isOpen(database)) {
      if (failure !== undefined) failures.set(servingUuid, failure)
      continue
    }
    const failed = hasFailed(database)
    if (running.has(servingUuid) && !failed) {
      known.add(servingUuid)
      continue
    }
    if (failed && failure !== undefined && failure.next > at) {
      failures.set(servingUuid, failure)
      continue
    }
    const isStopped =
      !failed &&
      before.known.has(servingUuid) &&
      (yield* engine.list({ application: ownerOf(uuid), deployment: servingUuid })).length > 0
    if (isStopped) {
      known.add(servingUuid)
      continue
    }
    failures.set(servingUuid, failedAgain(failure, at, seconds))
    yield* repair(system("database.deploy", { database }), servingUuid)
  }
  return { known, failures } satisfies DatabaseCheckState
})
