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
    /** Stores a report, or replaces that of the deployment. */
    readonly insert: (report: PendingReport) => Effect.Effect<void>
    /** Claims the report that has been due the longest, as `isReportDue` decides. */
    readonly claim: (turn: Turn) => Effect.Effect<PendingReport | undefined>
    /** Stores the result of an attempt and releases the lease; false when another worker has it. */
    readonly save: (report: PendingReport, worker: string) => Effect.Effect<boolean>
    /** Removes a report that needs no further attempt; false when another worker has it. */
    readonly remove: (deployment: DeploymentUuid, worker: string) => Effect.Effect<boolean>
    /** Releases the lease of a worker; does nothing if another worker has it. */
    readonly giveBack: (deployment: DeploymentUuid, worker: string) => Effect.Effect<void>
    /** Releases all leases of a previous process; for a process with exclusive use of the store. */
    readonly endLeases: Effect.Effect<void>
  }
>()("@slipway/domain/deploy/PendingReportStore") {}
