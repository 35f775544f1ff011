import { Clock, Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"

/** How long a successful verification is cached, in milliseconds. */
const lasts = 60_000
const most = 1_000

/**
 * Creates a cache of successful password verifications; an entry expires after one minute.
 *
 * Without the cache, every request with a password would need a slow hash; git sends three requests for one push. The
 * cache key is a hash that includes a secret of the process, so it reveals no password. A wrong password is never
 * cached, and a changed password has another stored hash.
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
    /** Returns whether a password matches a hash: from the cache, or else by calling `verify`. */
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
