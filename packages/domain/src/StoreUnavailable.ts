import { Cause, Data } from "effect"

/**
 * The reason why the data store is unavailable: unreachable (`away`), the connection was closed (`lost`), no response
 * (`silent`), too much load (`busy`), or no disk space (`full`).
 */
export type Unavailability = "away" | "busy" | "full" | "lost" | "silent"

/**
 * The error when the data store is unreachable, unresponsive, or out of space or connections. The same request may
 * succeed later.
 *
 * It is a defect, because callers of a port cannot handle it. The HTTP layer responds that the client may retry.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly reason: Unavailability
  readonly cause: unknown
}> {
  override get message(): string {
    return `the data store is unavailable: ${this.cause instanceof Error ? this.cause.message : String(this.cause)}`
  }
}

/** Returns whether the cause of a failure is an outage of the data store. */
export const isStoreUnavailable = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof StoreUnavailable)
