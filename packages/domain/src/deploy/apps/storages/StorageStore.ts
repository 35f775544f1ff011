import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { Storage, StorageUuid } from "./Storage.ts"

/**
 * Stores the storages of applications and databases.
 *
 * Databases are named by their owner id (`ownerOf`).
 *
 * Must:
 * - list only the storages of the given application, in the order of insertion
 * - keep one storage per path of an application, and of each of its services
 * - find a storage by its uuid, whatever its resource
 * - remove a storage only through its application
 * - remove the storages of a removed application
 * - store the storages of databases in the same way
 */
export class StorageStore extends Context.Service<
  StorageStore,
  {
    readonly find: (storage: StorageUuid) => Effect.Effect<Storage | undefined>
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Storage>>
    /**
     * Adds storages and returns the added ones. Skips a storage if its application does not exist or already has a
     * storage at the same path.
     */
    readonly insertMany: (storages: ReadonlyArray<Omit<Storage, "id">>) => Effect.Effect<ReadonlyArray<Storage>>
    /** Replaces the settings of a storage. Returns false if the application has another storage at the same path. */
    readonly replace: (storage: Storage) => Effect.Effect<boolean>
    readonly remove: (application: ApplicationUuid, storage: StorageUuid) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/StorageStore") {}
