import { Cause, Effect } from "effect"

/** Collects failures while independent parts of a job run, so that a failed part does not prevent the others. */
export interface Failures {
  /** Runs one part of the job; a failure is logged and remembered. */
  readonly without: <A, E, R>(part: Effect.Effect<A, E, R>) => Effect.Effect<void, never, R>
  /** Fails with the first remembered failure; does nothing if there is none. */
  readonly end: Effect.Effect<void>
}

/** Creates a collection without failures. */
export const make: Effect.Effect<Failures> = Effect.sync(() => {
  let first: Cause.Cause<unknown> | undefined
  const remember = (cause: Cause.Cause<unknown>) => {
    first ??= cause
    return Effect.logError("a workflow could not be started", cause)
  }
  return {
    without: (part) =>
      Effect.catchCause(Effect.asVoid(part), (cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.interrupt : remember(cause)
      ),
    end: Effect.suspend(() => (first === undefined ? Effect.void : Effect.die(Cause.squash(first))))
  }
})
