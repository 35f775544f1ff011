/** A failed repair: the number of failures, and the time of the next attempt in milliseconds since 1970. */
export interface Failure {
  readonly times: number
  readonly next: number
}

/** The maximum delay between two attempts of a repair, in seconds. */
const longestDelay = 600

/** Counts a failed repair and sets its retry time: the backoff begins with `seconds` and doubles up to 10 minutes. */
export const failedAgain = (before: Failure | undefined, at: number, seconds: number): Failure => {
  const times = (before?.times ?? 0) + 1
  return { times, next: at + Math.min(seconds * 2 ** (times - 1), longestDelay) * 1_000 }
}
