import { Context, type Effect } from "effect"

/** The number of requests of a caller in the current window, which ends in `endsIn` milliseconds. */
export interface RequestCount {
  readonly caller: string
  readonly count: number
  readonly endsIn: number
}

/**
 * Counts requests across all processes of a service: `add` returns each caller's current count and the end of its
 * window.
 *
 * The process that first reported a window determines when it ends. Undefined if the service runs in one process.
 */
export const RequestCounts = Context.Reference<
  | {
      readonly add: (counts: ReadonlyArray<RequestCount>) => Effect.Effect<ReadonlyArray<RequestCount>>
    }
  | undefined
>("@slipway/domain/RequestCounts", { defaultValue: () => undefined })
