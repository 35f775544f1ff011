/** Creates a value at its first use, and caches it. */
export const lazily = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => {
    made ??= make()
    return made
  }
}
