import { Context, type Effect } from "effect"
import type { ForgeLink } from "../apps/deletions/Deletion.ts"
import type { Turn } from "../apps/deployments/DeploymentStore.ts"
import type { DeploymentUuid } from "../base/ids/DeploymentUuid.ts"
import type { VisibleCollection } from "../identity/grants/Visible.ts"
import type { ServerUuid } from "../infrastructure/servers/Server.ts"
import type { Database, DatabaseUuid } from "./Database.ts"

/** The uuid of a database, the run that its last request started, and the worker process that handles the request. */
export interface DatabaseWork {
  readonly uuid: DatabaseUuid
  readonly run: DeploymentUuid
  readonly worker: string
}

/**
 * Stores databases.
 *
 * Must:
 * - return a database with the current name of its environment
 * - return which database publishes a port of a server
 * - list only the databases that are placed on the given server, in the order of insertion
 * - list only the databases on a server that are supposed to run
 * - list the running databases with a certificate that expires before a time
 * - list only the databases that the manifest of a repository created
 * - assign the request of a database to one worker until its lease expires
 * - limit the concurrent starts on a server to its build limit, but do not limit stops
 * - reassign released work immediately, and all work after all leases are released
 * - store progress only of the latest request, from the worker that holds the lease
 * - keep why a running database is unhealthy, until it is healthy or a request for it is done
 */
export class DatabaseStore extends Context.Service<
  DatabaseStore,
  VisibleCollection<Database> & {
    /** Finds the database that uses a port of a server as its public port; undefined if there is none. */
    readonly publishing: (server: ServerUuid, port: number) => Effect.Effect<Database | undefined>
    readonly placedOn: (server: ServerUuid) => Effect.Effect<ReadonlyArray<Database>>
    /** Lists the databases on a server that are supposed to run, oldest first. */
    readonly servingOn: (server: ServerUuid) => Effect.Effect<ReadonlyArray<Database>>
    /** Lists the running databases with a certificate that expires before a time, oldest first; at most 100. */
    readonly expiringBefore: (at: string) => Effect.Effect<ReadonlyArray<Database>>
    /** Lists the databases that the manifest of a repository created, oldest first. */
    readonly declaredIn: (repository: ForgeLink) => Effect.Effect<ReadonlyArray<Database>>
    /** Claims the oldest database with an unfinished request and without a worker. */
    readonly claim: (turn: Turn) => Effect.Effect<Database | undefined>
    /** Renews a lease; false if there is a newer request, another worker has the lease, or the database is missing. */
    readonly renew: (work: DatabaseWork, until: string) => Effect.Effect<boolean>
    /** Stores the progress of a request; returns false in the same cases as `renew`. */
    readonly save: (
      work: DatabaseWork,
      facts: Pick<Database, "certificateExpiresAt" | "reason" | "servingUuid" | "state" | "updatedAt">
    ) => Effect.Effect<boolean>
    /** Stores why a database with a running container is unhealthy; null means that it is healthy. */
    readonly setUnhealthy: (database: DatabaseUuid, run: DeploymentUuid, because: string | null) => Effect.Effect<void>
    /** Releases the lease of a worker; does nothing if another worker has it. */
    readonly giveBack: (database: DatabaseUuid, worker: string) => Effect.Effect<void>
    /** Releases all leases, which a previous process left; only for a process that uses the store exclusively. */
    readonly endLeases: Effect.Effect<void>
  }
>()("@slipway/domain/deploy/DatabaseStore") {}
