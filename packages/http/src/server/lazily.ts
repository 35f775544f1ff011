/** Creates a value at its first use, and caches it. */
export const lazily = <A>(make: () => A): (() => A) => {
  let value: A | undefined
  return () => {
    value ??= make()
    return value
  }
}
