import { Effect } from "effect"

/** A queue that runs a limited number of tasks concurrently, and shares the slots fairly among keys such as users. */
export interface FairQueue {
  /**
   * Waits for a free slot, and runs the work in it. `keys` name the users or other parties that the work is charged to.
   */
  readonly withTurn: (keys: ReadonlyArray<string>) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

interface Turn {
  readonly keys: ReadonlyArray<string>
  readonly resume: (place: Effect.Effect<Turn>) => void
  since: number
}

/** The time in milliseconds that is charged to the keys when a task starts, so that many short tasks are not free. */
const startCost = 1

/**
 * Creates a queue that shares its slots fairly among keys, even if one key has many waiting tasks (invariant I25).
 *
 * Each key has a cost: the time that its tasks have used. The cost of a task is that of its most expensive key. The
 * waiting task with the lowest cost runs next; of equal ones, the oldest. An idle key does not save up time. All costs
 * are reset when the queue is empty and idle.
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
