import { GitReader } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"

/** The total size of the cached answers of one forge, in bytes. */
const largestCache = 8 * 1024 * 1024
/** Larger answers are not cached: a few of them would fill the cache. */
const largestAnswer = 1024 * 1024
/** The size of an entry in bytes, in addition to its body and its key. */
const entrySize = 300

/** Caches encoded answers by their keys, least recently used first. */
class AnswerCache {
  readonly #entries = new Map<string, Uint8Array>()
  #size = 0

  get(key: string): Uint8Array | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  set(key: string, bytes: Uint8Array): void {
    if (bytes.length > largestAnswer) return
    this.#forget(key)
    this.#entries.set(key, bytes)
    this.#size += sizeOf(key, bytes)
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= largestCache) return
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    const found = this.#entries.get(key)
    if (found === undefined) return
    this.#entries.delete(key)
    this.#size -= sizeOf(key, found)
  }
}

const sizeOf = (key: string, bytes: Uint8Array): number => entrySize + 2 * key.length + bytes.length

/** The cache of each forge, by its reader of git objects; two forges in one process do not share one. */
const caches = new WeakMap<GitReader["Service"], AnswerCache>()

/**
 * Returns the JSON answer about an object of git as bytes, encoded once: the content of an object never changes.
 *
 * The key names everything that the answer depends on: the repository, its address, the object, and the options. Call this
 * after the caller's access to the object is decided: the cache knows no callers.
 */
export const encodedOnce = Effect.fnUntraced(function* <E, R>(
  key: ReadonlyArray<string | number | boolean>,
  answer: Effect.Effect<unknown, E, R>
) {
  const reader = yield* GitReader
  const cache = caches.get(reader) ?? new AnswerCache()
  caches.set(reader, cache)
  const name = key.join("\0")
  let bytes = cache.get(name)
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(yield* answer))
    cache.set(name, bytes)
  }
  return HttpServerResponse.uint8Array(bytes, { contentType: "application/json" })
})
