const asked = Number(process.env.SLIPWAY_TEST_RUNS ?? 0)

/** Returns the number of cases of a property: a few in an ordinary run, or SLIPWAY_TEST_RUNS if that is more. */
export const runs = (few: number): number => Math.max(few, asked)

/** Whether this run has many cases: then it repeats what other tests prove. */
export const isThorough: boolean = asked > 0

/**
 * Returns whether this run tries a case: one in `share`, by the sum of its positions, so that each position is combined with
 * each other one somewhere. A run of many cases tries all.
 */
export const isTried = (share: number, ...places: ReadonlyArray<number>): boolean =>
  isThorough || places.reduce((sum, place) => sum + place, 0) % share === 0

/** The seed of random cases: constant in ordinary runs, new in each run of many cases, which prints it. */
export const seed: number = Number(process.env.SLIPWAY_TEST_SEED ?? 20_261_121)
