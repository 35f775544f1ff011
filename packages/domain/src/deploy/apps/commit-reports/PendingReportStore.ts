import { Context, type Effect } from "effect"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { Turn } from "../deployments/DeploymentStore.ts"
import type { PendingReport } from "./PendingReport.ts"

/**
 * Keeps pending reports of deployments to forges.
 *
 * Must:
 * - keep only the newest report of each deployment
 * - assign a report that replaces a claimed one after that lease expires, and keep it when that worker finishes
 * - assign each report to one worker once its deployment has a new state or is removed
 * - assign no report before it is due
 * - reassign a released report immediately, and all reports after all leases are released
 * - let only the worker that claimed a report save or remove it
 */
export class PendingReportStore extends Context.Service<
  PendingReportStore,
  {
    /** Stores a report; replaces an earlier report of the same deployment. */
    readonly insert: (report: PendingReport) => Effect.Effect<void>
    /** Claims the report that has been due for the longest time, according to `isReportDue`. */
    readonly claim: (turn: Turn) => Effect.Effect<PendingReport | undefined>
    /** Stores the result of an attempt and releases the lease. Returns false if another worker has the lease. */
    readonly save: (report: PendingReport, worker: string) => Effect.Effect<boolean>
    /** Removes a report that needs no further attempt. Returns false if another worker has the lease. */
    readonly remove: (deployment: DeploymentUuid, worker: string) => Effect.Effect<boolean>
    /** Releases the lease of a worker. Does nothing if another worker has the lease. */
    readonly giveBack: (deployment: DeploymentUuid, worker: string) => Effect.Effect<void>
    /** Releases all leases of a previous process. Only a process with exclusive use of the store may call it. */
    readonly endLeases: Effect.Effect<void>
  }
>()("@slipway/domain/deploy/PendingReportStore") {}
