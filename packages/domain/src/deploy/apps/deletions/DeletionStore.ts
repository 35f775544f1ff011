import { Context, type Effect } from "effect"
import type { Collection } from "../../../Collection.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { OldRows, Turn } from "../deployments/DeploymentStore.ts"
import type { Deletion, DeletionUuid } from "./Deletion.ts"

/**
 * Keeps deletions.
 *
 * Must:
 * - give each deletion to one worker once no deployment of its application runs
 * - give out one deletion of an application at a time
 * - give out first what was tried the least
 * - give out at once what its worker gives back, and all when all leases end
 * - keep a deletion back while its application serves on the server
 * - list the deletions of one application alone, oldest first
 * - forget what finished before a moment of applications that are gone, a few rows at a time
 * - keep what says which images and networks of a server stay, as long as it is asked for that
 */
export class DeletionStore extends Context.Service<
  DeletionStore,
  Collection<Deletion> & {
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Deletion>>
    /** Claims a due deletion that no worker holds: the one with the fewest attempts, and of those the oldest. */
    readonly claim: (turn: Turn) => Effect.Effect<Deletion | undefined>
    /** Ends the lease of what a worker has; nothing is done to what is another's. */
    readonly giveBack: (deletion: DeletionUuid, worker: string) => Effect.Effect<void>
    /** Releases all leases that a previous process left; for a process with exclusive use of the store. */
    readonly endLeases: Effect.Effect<void>
    /** Stores the progress of a deletion; false when another worker has it. */
    readonly save: (deletion: Deletion, worker: string) => Effect.Effect<boolean>
    /**
     * Deletes unneeded rows of a batch; returns the id of the last examined row, and undefined after the last batch.
     */
    readonly forget: (rows: OldRows) => Effect.Effect<number | undefined>
  }
>()("@slipway/domain/deploy/DeletionStore") {}
