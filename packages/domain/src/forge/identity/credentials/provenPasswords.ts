import { Clock, Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"

/** For how many milliseconds a password counts as proven, and how many are remembered. */
const lasts = 60_000
const most = 1_000

/**
 * Remembers for a minute which passwords were right for which hash, since a client that sends one with each request, as
 * git does three times for a push, would have it hashed slowly each time.
 *
 * What is kept is a hash with a secret that the process never tells, so that nothing is learned from it; a password that
 * was changed has another stored hash, and one that is wrong is hashed slowly however often it is tried.
 */
export const makeProvenPasswords = (secret: Uint8Array) => {
  const proven = new Map<string, number>()
  const keyOf = Effect.fnUntraced(function* (password: Uint8Array, hash: string) {
    const digest = yield* Digest.Digest
    const text = new TextEncoder().encode(`${hash}\n`)
    const bytes = new Uint8Array([...secret, ...text, ...password])
    return Base64.encode(yield* Effect.orDie(digest.digest(Digest.sha256, bytes)))
  })
  return {
    /** Returns whether a password is right: at once when it was a moment ago, else by `verify`. */
    verify: Effect.fnUntraced(function* <R>(
      password: Uint8Array,
      hash: string,
      verify: Effect.Effect<boolean, never, R>
    ) {
      const key = yield* keyOf(password, hash)
      if ((proven.get(key) ?? 0) > (yield* Clock.currentTimeMillis)) return true
      proven.delete(key)
      const right = yield* verify
      if (!right) return false
      proven.set(key, (yield* Clock.currentTimeMillis) + lasts)
      const [oldest] = proven.keys()
      if (proven.size > most && oldest !== undefined) proven.delete(oldest)
      return true
    })
  }
}
