/** An element with its index in `Present`, which only `Present` sets. */
export interface Placed {
  place: number
}

/**
 * The current elements of a kind, in no order, such as requests without an answer yet.
 *
 * A `Set` allocates a new table every few dozen additions, and V8 links the old table to the new one. Once one table is
 * in the old generation, each later one is retained until the next full collection. Its elements at that time, a third
 * of all requests, are retained as well.
 */
export class Present<A extends Placed> {
  readonly #all: Array<A> = []

  get size(): number {
    return this.#all.length
  }

  add(one: A): void {
    one.place = this.#all.length
    this.#all.push(one)
  }

  /** Removes a present element; idempotent for others. */
  delete(one: A): void {
    if (this.#all[one.place] !== one) return
    const last = this.#all.pop() as A
    if (last === one) return
    last.place = one.place
    this.#all[one.place] = last
  }

  /** Returns a snapshot of the present elements. */
  all(): ReadonlyArray<A> {
    return [...this.#all]
  }
}
