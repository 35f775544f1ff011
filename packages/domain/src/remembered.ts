/**
 * Returns what makes a value of what it is given once for each key, and has the values of so many keys at hand: all of them
 * are forgotten when there are more. Without a number none is: for keys that the program has, and no request.
 */
export const rememberedBy = <Given extends ReadonlyArray<unknown>, V>(
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

/** Returns what makes a value for each key once, as `rememberedBy` does. */
export const remembered = <K, V>(make: (key: K) => V, most?: number): ((key: K) => V) =>
  rememberedBy((key) => key, make, most)
