import { Context, type Effect } from "effect"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"
import type { S3Storage, S3StorageUuid } from "./S3Storage.ts"

/**
 * Stores S3 storages.
 *
 * Must:
 * - find several existing S3 storages in one call, in the order of insertion
 */
export class S3StorageStore extends Context.Service<
  S3StorageStore,
  VisibleCollection<S3Storage> & {
    readonly findMany: (uuids: ReadonlyArray<S3StorageUuid>) => Effect.Effect<ReadonlyArray<S3Storage>>
  }
>()("@slipway/domain/deploy/S3StorageStore") {}
