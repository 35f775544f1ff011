/**
 * Returns what makes a value of what it is given once for each key, and has the values of so many keys at hand: all of them are
 * forgotten when there are more.
 */
export const rememberedBy = <Given extends ReadonlyArray<unknown>, V>(
  keyOf: (...given: Given) => unknown,
  make: (...given: Given) => V,
  most: number
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

/** Returns what makes a value for each key once: for keys that the program has, and no request. */
export const remembered = <K, V>(make: (key: K) => V): ((key: K) => V) =>
  rememberedBy((key) => key, make, Number.POSITIVE_INFINITY)
