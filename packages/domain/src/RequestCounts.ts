import { Context, type Effect } from "effect"

/** How often a caller asked since its window began, which ends in so many milliseconds. */
export interface RequestCount {
  readonly caller: string
  readonly count: number
  readonly endsIn: number
}

/**
 * Counts requests for all processes of a service: `add` answers with what each caller comes to by now, and when that ends.
 * A window ends when the process that told of it first said so. None where there is one process.
 */
export const RequestCounts = Context.Reference<
  | {
      readonly add: (counts: ReadonlyArray<RequestCount>) => Effect.Effect<ReadonlyArray<RequestCount>>
    }
  | undefined
>("@slipway/domain/RequestCounts", { defaultValue: () => undefined })
