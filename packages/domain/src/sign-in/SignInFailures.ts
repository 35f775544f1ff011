import type { Effect } from "effect"

/** The number of failed sign-ins of an account or an address, counted under a key. */
export interface Failures {
  readonly key: string
  readonly count: number
  readonly lastAt: string
}

/** A failed sign-in, with the limits of stored history. */
export interface FailedSignIn {
  readonly keys: ReadonlyArray<string>
  readonly at: string
  /** The expiry of one failure, in seconds. */
  readonly lasts: number
  /** Failures before this are no longer counted. */
  readonly forgetBefore: string
  /** The maximum number of stored keys; older ones are deleted. */
  readonly atMost: number
}

/** Counts failed sign-ins; each service stores them. */
export interface SignInFailures {
  readonly failures: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Failures>>
  readonly fail: (failed: FailedSignIn) => Effect.Effect<ReadonlyArray<Failures>>
}
