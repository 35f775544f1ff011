const requestedRuns = Number(process.env.SLIPWAY_TEST_RUNS ?? 0)

/** Returns the number of cases of a property: a few in a regular run, or SLIPWAY_TEST_RUNS if that is more. */
export const runs = (few: number): number => Math.max(few, requestedRuns)

/** Whether this is a thorough run, which also runs cases that regular runs skip. */
export const isThorough: boolean = requestedRuns > 0

/**
 * Returns whether this run tests a case of a table. A regular run tests one case in `share`, selected by the sum of its
 * positions, so that different positions are combined. A thorough run tests all cases.
 */
export const isTried = (share: number, ...places: ReadonlyArray<number>): boolean =>
  isThorough || places.reduce((sum, place) => sum + place, 0) % share === 0

/** The seed of random cases: constant in regular runs, new in each thorough run, which prints it. */
export const seed: number = Number(process.env.SLIPWAY_TEST_SEED ?? 20_261_121)
