import { Clock, Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"

/** The validity of a cached verification in milliseconds, and the maximum number of cached ones. */
const lasts = 60_000
const most = 1_000

/**
 * Caches for one minute which passwords matched which hash.
 *
 * Otherwise a client that sends a password with each request, as git does three times for a push, would cause a slow
 * hash each time. The cache contains a hash keyed with a secret of the process, which reveals nothing. A changed
 * password has another stored hash, and a wrong one is always hashed slowly.
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
    /** Returns whether a password is right: immediately if it was verified recently, otherwise by `verify`. */
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
