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

/** Fails if a key has too many failed attempts, for as long as sign-ins from one address are rate limited. */
export const refuseSlowed = Effect.fnUntraced(function* (key: string) {
  const seconds = attemptDelay(yield* (yield* SignInStore).failures([key]), yield* now)
  if (seconds > 0) return yield* new SignInSlowed({ seconds })
})

/** Counts an attempt under a key. */
export const countTry = Effect.fnUntraced(function* (key: string) {
  const at = yield* now
  const forgetBefore = DateTime.formatIso(DateTime.subtract(DateTime.makeUnsafe(at), { seconds: failuresLast }))
  yield* (yield* SignInStore).fail({
    keys: [key],
    lasts: failureExpiry(key),
    at,
    forgetBefore,
    atMost: mostCountedFailures
  })
})
