import { StoreUnavailable } from "@slipway/domain"
import { Clock, Context, Deferred, Duration, Effect, Exit, Fiber, Layer } from "effect"
import { Present } from "./Present.ts"

/** The checks by which a service finds out whether its store (database) is available. */
export interface StoreChecking {
  /** Returns whether the store responds within one second. */
  readonly answers: Effect.Effect<boolean>
  /** Returns whether the store responds within one second and has free space. */
  readonly isReady: Effect.Effect<boolean>
  /** Whether the store can stop responding, for example because of the network; then requests get a timeout. */
  readonly maySilence: boolean
}

/** The store check of a service; by default always successful; `layerStoreCheck` provides a real check. */
export const StoreCheck = Context.Reference<StoreChecking>("@slipway/http/StoreCheck", {
  defaultValue: () => ({ answers: Effect.succeed(true), isReady: Effect.succeed(true), maySilence: false })
})

const timeout = "1 second"
// Together with the check that follows, less than two seconds.
const lookAfter = Duration.millis(800)

/**
 * Layer that provides `StoreCheck` for a store.
 *
 * The effect `answer` must fail or die if the store cannot be used, and `room` if the store is full. For slow requests
 * only `answer` is checked, because `room` needs a separate connection, for which it would wait if the store is busy.
 */
export const layerStoreCheck = <A, R>(
  {
    answer,
    room
  }: { readonly answer: Effect.Effect<unknown, unknown, A>; readonly room: Effect.Effect<unknown, unknown, R> },
  { maySilence }: Pick<StoreChecking, "maySilence">
): Layer.Layer<never, never, A | R> =>
  Layer.effect(
    StoreCheck,
    Effect.map(Effect.context<A | R>(), (services) => ({
      answers: lookingAt(Effect.provideContext(answer, services)),
      isReady: lookingAt(Effect.provideContext(Effect.andThen(answer, room), services)),
      maySilence
    }))
  )

/**
 * Lets the event loop process pending input before a timeout is reported.
 *
 * If the process itself was blocked for a second, the store's response may have arrived already.
 */
const afterReading = Effect.callback<void>((resume) => {
  setImmediate(() => setImmediate(() => resume(Effect.void)))
})

/** Returns an effect that checks whether a store responds; concurrent callers share one check, to limit the load. */
const lookingAt = (store: Effect.Effect<unknown, unknown>): Effect.Effect<boolean> => {
  let looking: Deferred.Deferred<boolean> | undefined
  const look = Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(store)
    const waited = yield* Effect.timeoutOption(Fiber.await(fiber), timeout)
    if (waited._tag === "None") yield* afterReading
    const exit = fiber.pollUnsafe()
    // A statement without an answer takes seconds to give up; the interruption is not awaited.
    fiber.interruptUnsafe()
    return exit !== undefined && Exit.isSuccess(exit)
  })
  return Effect.suspend(() => {
    if (looking !== undefined) return Deferred.await(looking)
    const answer = Deferred.makeUnsafe<boolean>()
    looking = answer
    const settle = (answered: boolean) =>
      Effect.sync(() => {
        looking = undefined
        Deferred.doneUnsafe(answer, Effect.succeed(answered))
      })
    return Effect.andThen(Effect.forkDetach(Effect.flatMap(look, settle)), Deferred.await(answer))
  })
}

/** A request without an answer yet. */
class Waiting<A, E> {
  /** When the wait started, or when the store last responded since then, in milliseconds. */
  since: number
  place = 0
  readonly #answering: Fiber.Fiber<A, E>
  readonly #resume: (answer: Effect.Effect<A, E>) => void

  constructor(since: number, answering: Fiber.Fiber<A, E>, resume: (answer: Effect.Effect<A, E>) => void) {
    this.since = since
    this.#answering = answering
    this.#resume = resume
  }

  abandon(): void {
    this.#resume(Effect.die(new StoreUnavailable({ reason: "silent", cause: "no answer" })))
    this.#answering.interruptUnsafe()
  }
}

/**
 * Returns a function that wraps request handlers: a slow request fails with `StoreUnavailable` if the store does not
 * respond.
 *
 * One timer serves all requests, because nearly all of them complete before the first check.
 */
export const failWhileUnavailable = ({ answers, maySilence }: StoreChecking) => {
  if (!maySilence) return <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => request
  const waiting = new Present<Waiting<unknown, unknown>>()
  const untilLook = Duration.toMillis(lookAfter)
  const late = (now: number) => waiting.all().filter(({ since }) => now - since >= untilLook)
  const look = Effect.gen(function* () {
    if (yield* answers) {
      const now = yield* Clock.currentTimeMillis
      for (const each of late(now)) each.since = now
    } else {
      for (const each of late(yield* Clock.currentTimeMillis)) {
        waiting.delete(each)
        each.abandon()
      }
    }
  })
  let isWatched = false
  const watch = Effect.gen(function* () {
    while (waiting.size > 0) {
      const first = waiting.all().reduce((least, { since }) => Math.min(least, since), Number.POSITIVE_INFINITY)
      const left = untilLook - ((yield* Clock.currentTimeMillis) - first)
      yield* left > 0 ? Effect.sleep(left) : look
    }
    isWatched = false
  })
  return <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((own) =>
      Effect.callback<A, E>((resume) => {
        const run = Effect.runForkWith(own.context as Context.Context<R>)
        const answering = run(request)
        // An answer that needs no store is ready here.
        const answered = answering.pollUnsafe()
        if (answered !== undefined) return resume(answered)
        const each = new Waiting(own.getRef(Clock.Clock).currentTimeMillisUnsafe(), answering, resume)
        waiting.add(each as Waiting<unknown, unknown>)
        answering.addObserver((exit) => {
          waiting.delete(each as Waiting<unknown, unknown>)
          resume(exit)
        })
        if (!isWatched) {
          isWatched = true
          run(watch)
        }
        return Fiber.interrupt(answering)
      })
    )
}
