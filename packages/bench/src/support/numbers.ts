import { pageGrowthOf } from "@slipway/sql/testing"

/** Returns a generator of pseudo-random numbers from 0 to below 1, which depend only on the seed (mulberry32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns the median of some numbers. */
export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = [...numbers].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/**
 * Returns the largest growth factor of the read database pages between two neighbouring table sizes, scaled to a
 * tenfold size.
 *
 * If the two sizes differ by less than a factor of ten, the growth factor is not scaled.
 */
export const mostGrowth = (sizes: ReadonlyArray<number>, pages: ReadonlyArray<number>): number =>
  Math.max(
    ...pages.slice(1).map((after, at) => {
      const tenfold = Math.log10((sizes[at + 1] ?? 1) / (sizes[at] ?? 1))
      return pageGrowthOf(pages[at] ?? 0, after) ** (1 / Math.max(1, tenfold))
    })
  )
