/**
 * Memoizes a function by key. Drops all cached values when a new one would exceed the maximum number `most`.
 *
 * By default, no value is dropped: omit `most` only if keys are constants of the program and never come from a request.
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

/** Memoizes a function of one argument, which is the key. Drops cached values like `memoizeBy`. */
export const memoize = <K, V>(make: (key: K) => V, most?: number): ((key: K) => V) =>
  memoizeBy((key) => key, make, most)
