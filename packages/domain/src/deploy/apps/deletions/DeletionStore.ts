import { Context, type Effect } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { VisibleCollection } from "../../identity/grants/Visible.ts"

import type { OldRows, Turn } from "../deployments/DeploymentStore.ts"
import type { Deletion, DeletionUuid } from "./Deletion.ts"

/**
 * Stores deletions.
 *
 * Must:
 * - assign each deletion to one worker after every deployment of its application has ended
 * - assign only one deletion of an application at a time
 * - assign the deletion with the fewest attempts first
 * - reassign released work immediately, and all work after all leases are released
 * - hold a deletion back while the server still serves its application
 * - list only the deletions of the given application, oldest first
 * - delete the finished deletions of removed applications before a given time, in small batches
 * - keep deletions as long as cleanups need them to know which images and networks to keep
 */
export class DeletionStore extends Context.Service<
  DeletionStore,
  VisibleCollection<Deletion> & {
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Deletion>>
    /** Claims a due deletion that no worker has: the one with the fewest attempts, and among these the oldest. */
    readonly claim: (turn: Turn) => Effect.Effect<Deletion | undefined>
    /** Releases the lease of a worker. Does nothing if another worker has the lease. */
    readonly giveBack: (deletion: DeletionUuid, worker: string) => Effect.Effect<void>
    /** Releases all leases of a previous process. Only a process with exclusive use of the store may call it. */
    readonly endLeases: Effect.Effect<void>
    /** Stores the progress of a deletion. Returns false if another worker has the lease. */
    readonly save: (deletion: Deletion, worker: string) => Effect.Effect<boolean>
    /**
     * Deletes the rows of a batch that are no longer needed. Returns the id of the last examined row; undefined after
     * the last batch.
     */
    readonly forget: (rows: OldRows) => Effect.Effect<number | undefined>
  }
>()("@slipway/domain/deploy/DeletionStore") {}
