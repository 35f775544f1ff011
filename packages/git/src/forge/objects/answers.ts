import { Effect } from "effect"
import { LRUCache } from "lru-cache"

/** The memory in bytes that a cached answer takes in addition to its key and content. */
const overhead = 400

/**
 * Caches answers of git about objects by id, which never change, up to a number of bytes.
 *
 * Each key begins with the key of the repository, so that no other repository reads its answers.
 */
export class Answers {
  readonly #cache: LRUCache<string, { readonly answer: unknown }>
  readonly #most: number

  constructor(most: number) {
    this.#most = most
    this.#cache = new LRUCache({ maxSize: Math.max(most, 1) })
  }

  /** Returns the cached answer to a question. The type is that of the effect that `remember` got for this question. */
  get<A>(repository: { readonly key: string }, question: string): A | undefined {
    return this.#cache.get(`${repository.key} ${question}`)?.answer as A | undefined
  }

  /** Caches an answer, unless it would take more than an eighth of the cache. */
  set(repository: { readonly key: string }, question: string, answer: unknown, size: number): void {
    const key = `${repository.key} ${question}`
    const whole = overhead + key.length + size
    if (whole <= this.#most / 8) this.#cache.set(key, { answer }, { size: whole })
  }

  /** Returns the cached answer to a question, or runs the effect and caches its result; `sizeOf` returns bytes. */
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
