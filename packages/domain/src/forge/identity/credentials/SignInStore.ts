import { Context, type Effect } from "effect"
import type { SignInFailures } from "../../../sign-in/SignInFailures.ts"
import type { UserId } from "../users/User.ts"

/** The one-time code of a sign-in: none, a code of an authenticator app (by its time step), or a recovery code. */
export type UsedCode =
  | { readonly _tag: "None" }
  | { readonly _tag: "Step"; readonly step: number }
  | { readonly _tag: "Recovery"; readonly hash: string }

/** A successful sign-in with a password, to be stored. */
export interface SignIn {
  readonly userId: UserId
  readonly at: string
  readonly code: UsedCode
  /** The keys for which failed sign-ins are forgotten after this success. */
  readonly forgive: ReadonlyArray<string>
}

/**
 * Stores the last sign-ins and the failed ones; it never changes a decision of an administrator (invariant I16).
 *
 * Must:
 * - count failures under each key
 * - return the counted failures of each key, so that concurrent attempts get different counts
 * - forget one failure after each expiry period
 * - restart the count when the last failure is too old
 * - remove only the failures of the given keys
 * - keep at most the given number of keys, the latest ones
 * - store when a user last signed in, and never an earlier time
 * - accept each time step once, and no earlier step, also in concurrent sign-ins
 * - accept each recovery code once, and only for its user
 */
export class SignInStore extends Context.Service<
  SignInStore,
  SignInFailures & {
    /**
     * Stores a successful sign-in, and marks its code as used. Returns false and stores nothing if the code was used
     * before.
     */
    readonly succeed: (signIn: SignIn) => Effect.Effect<boolean>
  }
>()("@slipway/domain/forge/SignInStore") {}
