import { Cause, Effect } from "effect"

/** The failures of parts of a job: each part is tried, even after another one failed. */
export interface Failures {
  /** Runs a part; its failure is logged and stored. */
  readonly without: <A, E, R>(part: Effect.Effect<A, E, R>) => Effect.Effect<void, never, R>
  /** Fails with the failure of the first failed part. */
  readonly end: Effect.Effect<void>
}

/** Makes an empty list of failures. */
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
