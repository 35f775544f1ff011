/** Something that knows its place among those that are present, which `Present` alone sets. */
export interface Placed {
  place: number
}

/**
 * Those of a kind that are there now, in no order, such as requests that aren't answered yet.
 *
 * A set makes itself a new table every few dozen additions, and V8 links the old table to the new one. As soon as one table has
 * grown old, each later one is kept until the next full collection, with whatever was present then: a third of all requests.
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

  /** Takes out what is present; whatever isn't stays as it is. */
  delete(one: A): void {
    if (this.#all[one.place] !== one) return
    const last = this.#all.pop() as A
    if (last === one) return
    last.place = one.place
    this.#all[one.place] = last
  }

  /** Returns those that are present now, whatever becomes of them meanwhile. */
  all(): ReadonlyArray<A> {
    return [...this.#all]
  }
}
