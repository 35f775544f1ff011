import { GitRepositories } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"

/** The maximum total size of the cached responses of one forge, in bytes. */
const largestCache = 8 * 1024 * 1024
/** The maximum size of a cached response, in bytes; a few larger responses would fill the cache. */
const largestAnswer = 1024 * 1024
/** The memory of a cache entry in bytes, without its body and key. */
const entrySize = 300

/** An LRU cache of encoded responses by key, limited by their total size. */
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

/** The cache of each forge, by its `GitRepositories`; two forges in one process do not share a cache. */
const caches = new WeakMap<GitRepositories["Service"], AnswerCache>()

/**
 * Returns the JSON response about a git object; encodes it once and then returns it from a cache.
 *
 * `key` must contain everything that the response depends on: the repository, its URL, the object id and the options.
 * Authorize the caller before, because the cache does not distinguish callers.
 */
export const encodedOnce = Effect.fnUntraced(function* <E, R>(
  key: ReadonlyArray<string | number | boolean>,
  answer: Effect.Effect<unknown, E, R>
) {
  const repositories = yield* GitRepositories
  const cache = caches.get(repositories) ?? new AnswerCache()
  caches.set(repositories, cache)
  const name = key.join("\0")
  let bytes = cache.get(name)
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(yield* answer))
    cache.set(name, bytes)
  }
  return HttpServerResponse.uint8Array(bytes, { contentType: "application/json" })
})
