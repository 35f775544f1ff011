/** Runs `operation` repeatedly for about `milliseconds`, and returns the runs per second. */
const rate = (operation: () => void, milliseconds: number): number => {
  let runs = 0
  const start = performance.now()
  let now = start
  while (now - start < milliseconds) {
    operation()
    runs++
    now = performance.now()
  }
  return (runs * 1000) / (now - start)
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * Measures several functions alternately, so that other load on the machine affects all of them equally. Returns the
 * median rate of each.
 */
export const inTurns = (
  things: ReadonlyArray<() => void>,
  { milliseconds = 250, turns = 7 }: { readonly milliseconds?: number; readonly turns?: number } = {}
): ReadonlyArray<number> => {
  for (const thing of things) rate(thing, milliseconds)
  const rates = things.map((): Array<number> => [])
  for (let turn = 0; turn < turns; turn++) {
    for (const [place, thing] of things.entries()) rates[place]?.push(rate(thing, milliseconds))
  }
  return rates.map(median)
}
