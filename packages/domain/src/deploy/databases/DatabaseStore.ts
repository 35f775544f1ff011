import { Context, type Effect } from "effect"
import type { Collection } from "../../Collection.ts"
import type { Turn } from "../apps/deployments/DeploymentStore.ts"
import type { DeploymentUuid } from "../base/ids/DeploymentUuid.ts"
import type { ServerUuid } from "../infrastructure/servers/Server.ts"
import type { Database, DatabaseUuid } from "./Database.ts"

/** The worker that processes a database's request. */
export interface DatabaseWork {
  readonly uuid: DatabaseUuid
  readonly run: DeploymentUuid
  readonly worker: string
}

/**
 * Keeps databases.
 *
 * Must:
 * - return a database with the current name of its environment
 * - return which database publishes a port of a server
 * - list only the databases of a server that should run
 * - assign the request of a database to one worker until its lease expires
 * - limit the concurrent starts on a server to its builds, but not the stops
 * - reassign released work immediately, and all work after all leases are released
 * - store progress only of the latest request, from the worker that holds the lease
 */
export class DatabaseStore extends Context.Service<
  DatabaseStore,
  Collection<Database> & {
    /** Finds the database that publishes a port on a server. */
    readonly publishing: (server: ServerUuid, port: number) => Effect.Effect<Database | undefined>
    /** Lists the databases of a server that ought to run, by age. */
    readonly servingOn: (server: ServerUuid) => Effect.Effect<ReadonlyArray<Database>>
    /** Claims the oldest database with an unfinished request that no worker holds. */
    readonly claim: (turn: Turn) => Effect.Effect<Database | undefined>
    /** Renews a lease; false when another request was made, or the lease was lost, or the database is gone. */
    readonly renew: (work: DatabaseWork, until: string) => Effect.Effect<boolean>
    /** Stores the progress of a request; returns false like `renew`. */
    readonly save: (
      work: DatabaseWork,
      facts: Pick<Database, "reason" | "servingUuid" | "state" | "updatedAt">
    ) => Effect.Effect<boolean>
    /** Ends the lease of what a worker has; nothing is done to what is another's. */
    readonly giveBack: (database: DatabaseUuid, worker: string) => Effect.Effect<void>
    /** Releases all leases that a previous process left; for a process with exclusive use of the store. */
    readonly endLeases: Effect.Effect<void>
  }
>()("@slipway/domain/deploy/DatabaseStore") {}
