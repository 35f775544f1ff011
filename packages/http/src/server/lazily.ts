/** Returns a function that creates a value at its first call, and caches it. */
export const lazily = <A>(make: () => A): (() => A) => {
  let value: A | undefined
  return () => {
    value ??= make()
    return value
  }
}
