import { Effect } from "effect"
import { LRUCache } from "lru-cache"

/** The memory of a cache entry in bytes, without its key and content. */
const overhead = 400

/**
 * Caches results of git commands about immutable objects; limited by the size in bytes, least recently used first out.
 *
 * Each cache key begins with the key of the repository, so repositories never share entries.
 */
export class Answers {
  readonly #cache: LRUCache<string, { readonly answer: unknown }>
  readonly #most: number

  constructor(most: number) {
    this.#most = most
    this.#cache = new LRUCache({ maxSize: Math.max(most, 1) })
  }

  /** Returns the cached result for a question, or undefined; `A` must be the type that was cached. */
  get<A>(repository: { readonly key: string }, question: string): A | undefined {
    return this.#cache.get(`${repository.key} ${question}`)?.answer as A | undefined
  }

  /** Caches a result of `size` bytes, unless it would take more than an eighth of the cache. */
  set(repository: { readonly key: string }, question: string, answer: unknown, size: number): void {
    const key = `${repository.key} ${question}`
    const whole = overhead + key.length + size
    if (whole <= this.#most / 8) this.#cache.set(key, { answer }, { size: whole })
  }

  /** Returns the cached result for a question, or runs the effect and caches its result; `sizeOf` returns bytes. */
  remember<A, E, R>(
    repository: { readonly key: string },
    question: string,
    work: Effect.Effect<A, E, R>,
    sizeOf: (answer: NoInfer<A>) => number
  ): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const known = this.#cache.get(`${repository.key} ${question}`)
      if (known !== undefined) return Effect.succeed(known.answer as A)
      return Effect.tap(work, (answer) => Effect.sync(() => this.set(repository, question, answer, sizeOf(answer))))
    })
  }
}
