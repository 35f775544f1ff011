import { Context, type Effect } from "effect"
import type { Window } from "../../../Page.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { Visible, VisibleCollection } from "../../identity/grants/Visible.ts"
import type { ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { Deployment } from "./Deployment.ts"
import type { DeploymentSelection, DeploymentStatus } from "./states.ts"

/** The data of a claim of work: the worker process, the current time, and the end of its lease. */
export interface Turn {
  readonly worker: string
  readonly at: string
  readonly until: string
}

/** A batch of old rows to delete: at most `limit` rows with an id above `after` that ended before a given time. */
export interface OldRows {
  readonly before: string
  readonly after: number
  readonly limit: number
}

/**
 * Stores deployments.
 *
 * Must:
 * - list and count only the deployments of the given application, newest first
 * - list and count only the deployments of a selection that a caller sees, newest first
 * - cancel the waiting deployments of an application, and request the end of running ones
 * - assign each deployment to one worker until its lease expires
 * - assign no deployment that waits for an approval, and cancel it at the end of that time
 * - find the deployment of an application that waits for an approval
 * - list the deployments that still wait for an approval after the end of that time
 * - reassign released work immediately, and all work after all leases are released
 * - cancel deployments that a newer deployment of the application supersedes
 * - let only the worker with the lease return a held deployment to the queue until a given time
 * - assign one deployment of an application at a time, within the build limit of the server
 * - store progress only from the worker that holds the lease
 * - cancel a waiting deployment immediately, and request the end of a running one
 * - count the applications that wait for a server, except for the given ones and for those that need an approval
 * - list the active deployments of several servers in one call
 * - return the statuses of several deployments in one call
 * - report whether deployments on a server failed or were cancelled since a given time
 * - delete the deployments that ended before a given time, with their log lines, in small batches
 * - keep the newest, the serving and the restorable deployments of an existing application
 * - keep deployments with possible leftovers on a server until it is cleaned up or removed
 */
export class DeploymentStore extends Context.Service<
  DeploymentStore,
  VisibleCollection<Deployment> & {
    readonly ofApplication: (application: ApplicationUuid, window: Window) => Effect.Effect<ReadonlyArray<Deployment>>
    readonly countOf: (application: ApplicationUuid) => Effect.Effect<number>
    /** Lists the deployments of a selection that a caller sees, newest first; `after` is the id of the last known one. */
    readonly selected: (
      selection: DeploymentSelection,
      visible: Visible,
      window: Window
    ) => Effect.Effect<ReadonlyArray<Deployment>>
    readonly countSelected: (selection: DeploymentSelection, visible: Visible) => Effect.Effect<number>
    /** Cancels the waiting deployments of a removed application, and requests the cancellation of running ones. */
    readonly cancelAll: (application: ApplicationUuid, at: string) => Effect.Effect<void>
    readonly awaitingApproval: (application: ApplicationUuid) => Effect.Effect<Deployment | undefined>
    /** Lists the deployments that still wait for an approval at or after the end of that time. */
    readonly expiredApprovals: (at: string) => Effect.Effect<ReadonlyArray<Deployment>>
    /** Claims the oldest deployment that can run and that no worker has. A waiting deployment becomes `preparing`. */
    readonly claim: (turn: Turn) => Effect.Effect<Deployment | undefined>
    /** Renews a lease, and returns the current deployment; undefined if another worker has the lease. */
    readonly renew: (deployment: DeploymentUuid, turn: Turn) => Effect.Effect<Deployment | undefined>
    /** Releases the lease of a worker. Does nothing if another worker has the lease. */
    readonly giveBack: (deployment: DeploymentUuid, worker: string) => Effect.Effect<void>
    /** Releases all leases of a previous process. Only a process with exclusive use of the store may call it. */
    readonly endLeases: Effect.Effect<void>
    /** Stores the progress of a deployment. Returns false if another worker has the lease. */
    readonly save: (deployment: Deployment, worker: string) => Effect.Effect<boolean>
    /**
     * Puts a deployment that has not created anything yet back into the queue. Workers skip it until the end of `turn`.
     * Returns false if another worker has the lease, or if the cancellation was requested.
     */
    readonly hold: (deployment: DeploymentUuid, reason: string, turn: Turn) => Effect.Effect<boolean>
    /** Counts the applications with a deployment in the queue of a server, except for the given applications. */
    readonly waitingFor: (server: ServerUuid, besides: ReadonlyArray<ApplicationUuid>) => Effect.Effect<number>
    /** Lists the deployments in progress on several servers, oldest first. */
    readonly activeOn: (servers: ReadonlyArray<ServerUuid>) => Effect.Effect<ReadonlyArray<Deployment>>
    /** Returns the status of each deployment; missing deployments are omitted. */
    readonly statusesOf: (
      deployments: ReadonlyArray<DeploymentUuid>
    ) => Effect.Effect<ReadonlyMap<DeploymentUuid, DeploymentStatus>>
    readonly cameToNothing: (server: ServerUuid, since: string) => Effect.Effect<boolean>
    /** Cancels a waiting deployment, or requests the cancellation of a running one; ignores a finished deployment. */
    readonly requestCancel: (deployment: DeploymentUuid, at: string) => Effect.Effect<void>
    /**
     * Deletes the rows of a batch that are no longer needed. Returns the id of the last examined row; undefined after
     * the last batch.
     */
    readonly forget: (rows: OldRows) => Effect.Effect<number | undefined>
  }
>()("@slipway/domain/deploy/DeploymentStore") {}
