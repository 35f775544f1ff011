import { Effect, Fiber, Semaphore } from "effect"

/** The time that a server may take to respond before the job that waits for it releases its worker slot. */
const patience = "2 seconds"

/** Maximum number of jobs that wait without a worker slot. Each needs little more than a connection. */
const mostAway = 100

/** A worker slot of a process. A job releases its slot while it waits for an unresponsive server. */
export interface Place {
  /** Releases the slot while the job waits for a server to respond. */
  readonly leave: Effect.Effect<void>
  /** Returns whether the slot is currently released. */
  readonly isLeft: () => boolean
  /** Connects to a server. If this takes long, releases the worker slot until the server responds. */
  readonly reaching: <A, E, R>(reach: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Releases the slot permanently. */
  readonly end: Effect.Effect<void>
}

/** Creates the worker slots of a process, `most` in number. `freed` runs whenever a slot is released. */
export const makePlaces = (most: number, freed: Effect.Effect<void>) => {
  const places = Semaphore.makeUnsafe(most)
  // Counts of jobs that hold or wait to regain a slot, and of jobs that wait for a server.
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
    /** Returns whether another job may start. */
    isFree: () => there < most && away < mostAway,
    /** Takes a free slot for a job; waits if there is none. */
    begin
  }
}
