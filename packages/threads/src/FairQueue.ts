import { Effect } from "effect"

/** A queue for a limited number of concurrent slots. */
export interface FairQueue {
  /** Waits for a free slot for work of the given keys, and runs the work in it. */
  readonly withTurn: (keys: ReadonlyArray<string>) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

interface Turn {
  readonly keys: ReadonlyArray<string>
  readonly resume: (place: Effect.Effect<Turn>) => void
  since: number
}

/** The time charged to the keys at the start of a turn, in milliseconds, so that many short turns count as well. */
const startCost = 1

/**
 * Creates a queue that shares its slots fairly among keys, whatever the number of waiting turns of one key (I25).
 *
 * A turn costs the time that its most expensive key has used. The cheapest waiting turn is next, the oldest of equal
 * ones. An idle key collects no credit. All times are reset when the queue is empty and idle.
 */
export const makeFairQueue = (places: number, clock: () => number = () => performance.now()): FairQueue => {
  const waiting = new Set<Turn>()
  const spent = new Map<string, number>()
  let [free, reached] = [places, 0]

  const costOf = ({ keys }: Turn): number => Math.max(reached, ...keys.map((key) => spent.get(key) ?? 0))
  const charge = ({ keys }: Turn, cost: number) => {
    for (const key of keys) spent.set(key, Math.max(spent.get(key) ?? 0, reached) + cost)
  }
  const start = () => {
    while (free > 0 && waiting.size > 0) {
      let next: Turn | undefined
      for (const turn of waiting) if (next === undefined || costOf(turn) < costOf(next)) next = turn
      if (next === undefined) return
      waiting.delete(next)
      free--
      reached = costOf(next)
      charge(next, startCost)
      next.since = clock()
      next.resume(Effect.succeed(next))
    }
  }
  const leave = (turn: Turn) => {
    free++
    charge(turn, clock() - turn.since)
    if (waiting.size === 0 && free === places) {
      spent.clear()
      reached = 0
    }
    start()
  }
  const wait = (keys: ReadonlyArray<string>) =>
    Effect.callback<Turn>((resume) => {
      // Work without keys shares one key.
      const turn: Turn = { keys: keys.length === 0 ? [""] : keys, resume, since: 0 }
      waiting.add(turn)
      start()
      return Effect.sync(() => {
        if (!waiting.delete(turn)) leave(turn)
      })
    })

  return {
    withTurn: (keys) => (work) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(wait(keys)), (turn) =>
          Effect.ensuring(
            restore(work),
            Effect.sync(() => leave(turn))
          )
        )
      )
  }
}
