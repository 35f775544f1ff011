import { Schema } from "effect"

/** The state of a deployment. */
export const DeploymentStatus = Schema.Literals([
  "queued",
  "preparing",
  "building",
  "starting",
  "checking",
  "switching",
  "finished",
  "failed",
  "cancelled"
])
export type DeploymentStatus = typeof DeploymentStatus.Type

/** The final states of a deployment. */
export const finalStatuses = ["finished", "failed", "cancelled"] as const satisfies ReadonlyArray<DeploymentStatus>

const transitions: Readonly<Record<DeploymentStatus, ReadonlyArray<DeploymentStatus>>> = {
  queued: ["preparing", "cancelled"],
  preparing: ["building", "switching", "failed", "cancelled"],
  building: ["starting", "failed", "cancelled"],
  starting: ["checking", "failed", "cancelled"],
  checking: ["switching", "failed", "cancelled"],
  // After visitors may have reached the new containers, only a rejection by the proxy causes a rollback.
  switching: ["finished", "failed"],
  finished: [],
  failed: [],
  cancelled: []
}

/**
 * Returns whether a deployment can change from one state to another. Only workers make these changes; the store itself
 * changes a held deployment back to `queued`.
 *
 * @example
 * canTransition("checking", "switching") // => true
 * canTransition("switching", "cancelled") // => false
 */
export const canTransition = (from: DeploymentStatus, to: DeploymentStatus): boolean => transitions[from].includes(to)

/** Returns whether a deployment is in a final state: finished, failed or cancelled. */
export const hasEnded = (status: DeploymentStatus): boolean => transitions[status].length === 0

/** Returns whether a worker is processing a deployment. */
export const isActive = (status: DeploymentStatus): boolean => status !== "queued" && !hasEnded(status)

/** A selection of deployments: those that have not ended, or those that failed. */
export const DeploymentSelection = Schema.Literals(["open", "failed"])
export type DeploymentSelection = typeof DeploymentSelection.Type

/**
 * Returns whether a selection contains the deployments with a status.
 *
 * @example
 * isSelected("open", "queued") // => true
 * isSelected("failed", "cancelled") // => false
 */
export const isSelected = (selection: DeploymentSelection, status: DeploymentStatus): boolean =>
  selection === "failed" ? status === "failed" : !hasEnded(status)
