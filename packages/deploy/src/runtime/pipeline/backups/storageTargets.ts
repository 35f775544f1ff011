import { ApplicationStore, type Placement, ReleaseStore, type Storage } from "@slipway/domain/deploy/apps"
import { DatabaseStore, databaseOf } from "@slipway/domain/deploy/databases"
import type { ServerUuid } from "@slipway/domain/deploy/infrastructure"
import { Effect } from "effect"

/** A storage with the resource that it belongs to. */
export interface StorageTarget {
  readonly storage: Storage
  readonly name: string
  readonly placement: Placement
  /** The first part of the API path of the resource. */
  readonly path: "applications" | "databases" | "services"
  /** The server on which the containers of the resource run. */
  readonly serverUuid: ServerUuid
}

/** Finds the resource that owns a storage; undefined if it was deleted. */
export const findTarget = Effect.fnUntraced(function* (storage: Storage) {
  const application = yield* (yield* ApplicationStore).find(storage.applicationUuid)
  if (application !== undefined) {
    const { configuration, placement, variant } = application
    const path = variant === "service" ? "services" : "applications"
    // After a move, the former server serves until the next deployment.
    const serving = yield* (yield* ReleaseStore).serving(application.uuid)
    const serverUuid = serving?.serverUuid ?? placement.serverUuid
    return { storage, name: configuration.name ?? "", placement, path, serverUuid } satisfies StorageTarget
  }
  const database = yield* (yield* DatabaseStore).find(databaseOf(storage.applicationUuid))
  if (database === undefined) return undefined
  const { name, placement } = database
  return { storage, name, placement, path: "databases", serverUuid: placement.serverUuid } satisfies StorageTarget
})
