const asked = Number(process.env.SLIPWAY_TEST_RUNS ?? 0)

/** How many cases a property tries: a few in the ordinary run, as many as SLIPWAY_TEST_RUNS says when that is more. */
export const runs = (few: number): number => Math.max(few, asked)

/** Whether this run is one of many cases: what is proved elsewhere already is then proved once more. */
export const isThorough: boolean = asked > 0

/**
 * Whether a case is tried by this run: one in `share`, by the sum of the places at which it stands, so that each place meets
 * each other one somewhere; all of them in a run of many cases.
 */
export const isTried = (share: number, ...places: ReadonlyArray<number>): boolean =>
  isThorough || places.reduce((sum, place) => sum + place, 0) % share === 0

/** What cases are made up from: the same ones in every ordinary run, others in each run of many, which prints it. */
export const seed: number = Number(process.env.SLIPWAY_TEST_SEED ?? 20_261_121)
