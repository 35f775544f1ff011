import { now } from "@slipway/domain"
import {
  attemptDelay,
  failureExpiry,
  failuresLast,
  mostCountedFailures,
  SignInSlowed,
  SignInStore
} from "@slipway/domain/forge/identity"
import { DateTime, Effect } from "effect"

const refuseFor = (seconds: number) => (seconds > 0 ? Effect.fail(new SignInSlowed({ seconds })) : Effect.void)

/**
 * Fails with `SignInSlowed` while a key (for example an action and an IP address) has too many counted attempts.
 *
 * The delay is the same as for failed sign-ins from one address.
 */
export const refuseSlowed = Effect.fnUntraced(function* (key: string) {
  yield* refuseFor(attemptDelay(yield* (yield* SignInStore).failures([key]), yield* now))
})

/** Counts an attempt under a key, and returns the new number of attempts under the key. */
export const countTry = Effect.fnUntraced(function* (key: string) {
  const at = yield* now
  const forgetBefore = DateTime.formatIso(DateTime.subtract(DateTime.makeUnsafe(at), { seconds: failuresLast }))
  const [counted] = yield* (yield* SignInStore).fail({
    keys: [key],
    lasts: failureExpiry(key),
    at,
    forgetBefore,
    atMost: mostCountedFailures
  })
  return counted?.count ?? 0
})

/**
 * Counts an attempt under a key; fails like `refuseSlowed` if the key has too many attempts.
 *
 * Also checks the count after adding: concurrent attempts read the same earlier count, and would all succeed.
 */
export const countAttempt = Effect.fnUntraced(function* (key: string) {
  const [earlier] = yield* (yield* SignInStore).failures([key])
  const at = yield* now
  yield* refuseFor(attemptDelay(earlier === undefined ? [] : [earlier], at))
  const others = (yield* countTry(key)) - 1
  if (others > (earlier?.count ?? 0)) yield* refuseFor(attemptDelay([{ key, count: others, lastAt: at }], at))
})
