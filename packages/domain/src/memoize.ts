/**
 * Caches the results of a function by key. When a new result would exceed the limit `most`, all cached results are
 * dropped.
 *
 * Without `most`, nothing is ever dropped: use this only if there are few possible keys, never for keys from requests.
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

/** Caches the results of a function by its only argument, with the same limit as `memoizeBy`. */
export const memoize = <K, V>(make: (key: K) => V, most?: number): ((key: K) => V) =>
  memoizeBy((key) => key, make, most)
