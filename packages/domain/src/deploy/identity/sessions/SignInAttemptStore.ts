import { Context, type Effect } from "effect"
import type { SignInFailures } from "../../../sign-in/SignInFailures.ts"

/**
 * Stores failed sign-ins for rate limits, and the used `state` values of OpenID Connect sign-ins against replays.
 *
 * Must:
 * - count failures under each key
 * - return the counted failures of each key, so that concurrent attempts get different counts
 * - forget one failure after each expiry period
 * - restart the count when the last failure is too old
 * - remove only the failures of the given keys
 * - keep at most the given number of keys, the latest ones
 * - accept a sign-in state once, also in concurrent sign-ins
 * - remove the sign-in states that have expired
 */
export class SignInAttemptStore extends Context.Service<
  SignInAttemptStore,
  SignInFailures & {
    readonly forgive: (keys: ReadonlyArray<string>) => Effect.Effect<void>
    /**
     * Marks the hash of a sign-in state as used until it expires; false if it is already used. Removes expired ones.
     */
    readonly useState: (hash: string, expiresAt: string, present: string) => Effect.Effect<boolean>
  }
>()("@slipway/domain/deploy/SignInAttemptStore") {}
