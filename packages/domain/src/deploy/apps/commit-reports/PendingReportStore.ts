import { Context, type Effect } from "effect"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { Turn } from "../deployments/DeploymentStore.ts"
import type { PendingReport } from "./PendingReport.ts"

/**
 * Keeps pending reports of deployments to forges.
 *
 * Must:
 * - keep one report for each deployment
 * - give a report to one worker, once its deployment has something to report or is gone
 * - give out no report before it is due
 * - give out a returned report immediately, and all reports when all leases end
 * - save and remove a report for the worker that claimed it only
 */
export class PendingReportStore extends Context.Service<
  PendingReportStore,
  {
    /** Stores a report; does nothing if the deployment has one. */
    readonly insert: (report: PendingReport) => Effect.Effect<void>
    /** Claims the report that has been due the longest, as `isReportDue` decides. */
    readonly claim: (turn: Turn) => Effect.Effect<PendingReport | undefined>
    /** Stores the result of an attempt and ends the lease; false when another worker has it. */
    readonly save: (report: PendingReport, worker: string) => Effect.Effect<boolean>
    /** Removes a report that needs no further attempt; false when another worker has it. */
    readonly remove: (deployment: DeploymentUuid, worker: string) => Effect.Effect<boolean>
    /** Ends the lease of what a worker has; does nothing to what is another's. */
    readonly giveBack: (deployment: DeploymentUuid, worker: string) => Effect.Effect<void>
    /** Releases all leases that a previous process left; for a process with exclusive use of the store. */
    readonly endLeases: Effect.Effect<void>
  }
>()("@slipway/domain/deploy/PendingReportStore") {}
