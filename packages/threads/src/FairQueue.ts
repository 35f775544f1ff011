import { Effect } from "effect"

/** Lets work have its turn in places of which there are few. */
export interface FairQueue {
  /** Waits for a place for the work of some keys, and does the work there. */
  readonly withTurn: (keys: ReadonlyArray<string>) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

interface Turn {
  readonly keys: ReadonlyArray<string>
  readonly resume: (place: Effect.Effect<Turn>) => void
  since: number
}

/** What starting a turn costs its keys, in milliseconds, so that many short turns count too. */
const startCost = 1

/**
 * Makes a queue that shares its places fairly by keys, whatever the number of waiting turns of one key (invariant I25).
 *
 * The next turn is the one with the lowest maximum of used time over its keys; of equal ones, the oldest. A key that
 * was idle gets no credit for that. All times are reset once the queue is empty and idle.
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
      // Work of unknown origin has one share together.
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
