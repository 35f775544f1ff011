/**
 * Memoizes a function by key, with a bounded number of cached values: all of them are dropped when there are more.
 *
 * Without a bound no value is dropped: for keys that are constants of the program and never come from a request.
 */
export const memoizeBy = <Given extends ReadonlyArray<unknown>, V>(
  keyOf: (...given: Given) => unknown,
  make: (...given: Given) => V,
  most = Number.POSITIVE_INFINITY
): ((...given: Given) => V) => {
  const made = new Map<unknown, V>()
  return (...given) => {
    const key = keyOf(...given)
    const known = made.get(key)
    if (known !== undefined) return known
    if (made.size >= most) made.clear()
    const value = make(...given)
    made.set(key, value)
    return value
  }
}

/** Returns a function that makes a value for each key once, like `memoizeBy`. */
export const memoize = <K, V>(make: (key: K) => V, most?: number): ((key: K) => V) =>
  memoizeBy((key) => key, make, most)
