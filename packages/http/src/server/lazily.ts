/** Makes a value when it is first wanted, and keeps it. */
export const lazily = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => {
    made ??= make()
    return made
  }
}
