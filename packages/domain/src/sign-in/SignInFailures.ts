import type { Effect } from "effect"

/**
 * The number of failed sign-ins that were counted under a key for an account or an address, with the time of the last
 * one.
 */
export interface Failures {
  readonly key: string
  readonly count: number
  readonly lastAt: string
}

/** A failed sign-in to count, with its keys and the limits of the stored counts. */
export interface FailedSignIn {
  readonly keys: ReadonlyArray<string>
  readonly at: string
  /** The time after which one failure is forgotten, in seconds. */
  readonly lasts: number
  /** The time before which failures are no longer counted, in ISO 8601. */
  readonly forgetBefore: string
  /** The maximum number of keys to keep; the oldest ones are removed. */
  readonly atMost: number
}

/** Counts failed sign-ins. The code hosting service and the deployment platform each have an implementation. */
export interface SignInFailures {
  readonly failures: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Failures>>
  readonly fail: (failed: FailedSignIn) => Effect.Effect<ReadonlyArray<Failures>>
}
