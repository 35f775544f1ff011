import { Context, type Effect } from "effect"
import type { Collection } from "../../Collection.ts"
import type { ApplicationUuid } from "../applications/Application.ts"
import type { Turn } from "../deployments/DeploymentStore.ts"
import type { Deletion } from "./Deletion.ts"

/**
 * Keeps deletions.
 *
 * Must:
 * - give each deletion to one worker once no deployment of its application runs
 * - keep a deletion back while its application serves on the server
 * - list the deletions of one application alone, oldest first
 */
export class DeletionStore extends Context.Service<
  DeletionStore,
  Collection<Deletion> & {
    readonly ofApplication: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Deletion>>
    /** Takes the oldest deletion that is due and that nobody works on. */
    readonly claim: (turn: Turn) => Effect.Effect<Deletion | undefined>
    /** Stores how far a deletion has come; false when it is another worker's. */
    readonly save: (deletion: Deletion, worker: string) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/DeletionStore") {}
