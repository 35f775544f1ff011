/**
 * Memoizes a function by key, with a bounded number of cached values: all of them are dropped when there are more.
 *
 * Without a bound no value is dropped: for keys that are constants of the program and never come from a request.
 */
export const memoizeBy = <Given extends ReadonlyArray<unknown>, V>(
  keyOf: (...args: Given) => unknown,
  make: (...args: Given) => V,
  most = Number.POSITIVE_INFINITY
): ((...args: Given) => V) => {
  const cache = new Map<unknown, V>()
  return (...args) => {
    const key = keyOf(...args)
    const known = cache.get(key)
    if (known !== undefined) return known
    if (cache.size >= most) cache.clear()
    const value = make(...args)
    cache.set(key, value)
    return value
  }
}

/** Returns a function that makes a value for each key once, like `memoizeBy`. */
export const memoize = <K, V>(make: (key: K) => V, most?: number): ((key: K) => V) =>
  memoizeBy((key) => key, make, most)
