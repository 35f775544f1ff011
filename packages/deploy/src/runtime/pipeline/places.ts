import { Effect, Fiber, Semaphore } from "effect"

/** How long a server may take to answer before its worker slot is given to other work. */
const patience = "2 seconds"

/** How many may wait without a place: each keeps little more than a connection (invariant I25). */
const mostAway = 100

/** One worker slot of a process; a job that waits for an unresponsive server releases it. */
export interface Place {
  /** Gives the place to others, until a server is reached. */
  readonly leave: Effect.Effect<void>
  /** Whether others have it. */
  readonly isLeft: () => boolean
  /** Reaches a server: while that takes long others have the place, and one is waited for when it answered. */
  readonly reaching: <A, E, R>(reach: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Ends what it was taken for. */
  readonly end: Effect.Effect<void>
}

/** Shares out the places of a process; `freed` is done when one is given to others. */
export const makePlaces = (most: number, freed: Effect.Effect<void>) => {
  const places = Semaphore.makeUnsafe(most)
  // Of those that hold a place or wait to come back to one, and of those that wait for a server.
  let [there, away] = [0, 0]

  const begin: Effect.Effect<Place> = Effect.gen(function* () {
    let isLeft = false
    const goes = () => {
      isLeft = true
      there -= 1
      away += 1
    }
    const comes = () => {
      isLeft = false
      there += 1
      away -= 1
    }
    const leave = Effect.suspend(() => {
      if (isLeft) return Effect.void
      goes()
      return Effect.andThen(places.release(1), freed)
    })
    const comeBack = Effect.suspend(() => {
      if (!isLeft) return Effect.void
      comes()
      return Effect.asVoid(Effect.onInterrupt(places.take(1), () => Effect.sync(goes)))
    })
    const reaching = Effect.fnUntraced(function* <A, E, R>(reach: Effect.Effect<A, E, R>) {
      const waiting = yield* Effect.forkChild(Effect.andThen(Effect.sleep(patience), leave))
      const reached = yield* Effect.ensuring(reach, Fiber.interrupt(waiting))
      yield* comeBack
      return reached
    })
    const end = Effect.suspend(() => {
      if (!isLeft) {
        there -= 1
        return Effect.asVoid(places.release(1))
      }
      away -= 1
      return Effect.void
    })
    there += 1
    yield* places.take(1)
    return { leave, isLeft: () => isLeft, reaching, end }
  })

  return {
    /** Whether one more may begin. */
    isFree: () => there < most && away < mostAway,
    /** Takes a place, one of which is free. */
    begin
  }
}
