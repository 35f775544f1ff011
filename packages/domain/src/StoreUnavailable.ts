import { Cause, Data } from "effect"

/**
 * The reason why the store is unavailable: unreachable (`away`), connection ended (`lost`), no response (`silent`), too
 * much load (`busy`), or no space (`full`).
 */
export type Unavailability = "away" | "busy" | "full" | "lost" | "silent"

/**
 * Reports that the data store is unreachable, unresponsive, or out of space or connections: the same request may
 * succeed later.
 *
 * It is a defect, since no caller of a port can handle it; the layer that answers requests asks the client to retry.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly reason: Unavailability
  readonly cause: unknown
}> {
  override get message(): string {
    return `the data store is unavailable: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/** Returns whether a cause is an outage of the store. */
export const isStoreUnavailable = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof StoreUnavailable)
