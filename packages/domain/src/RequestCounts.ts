import { Context, type Effect } from "effect"

/** The number of requests of a caller in the current rate limit window, and the milliseconds until the window ends. */
export interface RequestCount {
  readonly caller: string
  readonly count: number
  readonly endsIn: number
}

/**
 * Counts requests for rate limits across all processes of a service. `add` returns each caller's current count and the
 * end of the window.
 *
 * The process that first reports a window determines its end. The value is undefined if the service runs in one
 * process.
 */
export const RequestCounts = Context.Reference<
  | {
      readonly add: (counts: ReadonlyArray<RequestCount>) => Effect.Effect<ReadonlyArray<RequestCount>>
    }
  | undefined
>("@slipway/domain/RequestCounts", { defaultValue: () => undefined })
