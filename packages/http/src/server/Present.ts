/** An element of `Present`; `Present` stores the element's index in it. */
export interface Placed {
  place: number
}

/**
 * An unordered collection of current objects, such as the requests in flight; replaces `Set` to save memory.
 *
 * A `Set` allocates a new table every few dozen additions, and V8 links the old table to the new one. If one table is
 * in the old generation of the heap, all later tables, and the elements in them, stay in memory until the next full
 * garbage collection.
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

  /** Removes an element; does nothing if it is not in the collection. */
  delete(one: A): void {
    if (this.#all[one.place] !== one) return
    const last = this.#all.pop() as A
    if (last === one) return
    last.place = one.place
    this.#all[one.place] = last
  }

  /** Returns a snapshot of the current elements. */
  all(): ReadonlyArray<A> {
    return [...this.#all]
  }
}
