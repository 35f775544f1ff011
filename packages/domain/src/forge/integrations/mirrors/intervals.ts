/** The minimum interval between synchronizations, in seconds. */
export const shortestInterval = 600

/** The default interval of mirror synchronization, in seconds. */
export const usualInterval = 8 * 3_600

/** The maximum interval between synchronizations, in seconds. */
const longestInterval = 10 * 365 * 86_400

const units = { h: 3_600, m: 60, s: 1 } as const

/**
 * Parses a duration in hours, minutes and seconds. Returns seconds, or undefined if the text is not a duration.
 *
 * @example
 * secondsIn("8h0m0s") // => 28_800
 * secondsIn("90m") // => 5_400
 * secondsIn("0") // => 0
 * secondsIn("8 hours") // => undefined
 */
export const secondsIn = (text: string): number | undefined => {
  if (text === "0") return 0
  if (!/^(?:\d{1,6}(?:\.\d{1,3})?[hms])+$/.test(text)) return undefined
  const parts = text.match(/[\d.]+[hms]/g) ?? []
  return Math.floor(
    parts.reduce((sum, part) => sum + Number(part.slice(0, -1)) * units[part.slice(-1) as keyof typeof units], 0)
  )
}

/**
 * Formats a number of seconds as hours, minutes and seconds.
 *
 * @example
 * intervalText(28_800) // => "8h0m0s"
 * intervalText(0) // => "0s"
 */
export const intervalText = (seconds: number): string => {
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  return `${minutes < 60 ? "" : `${Math.floor(minutes / 60)}h`}${minutes % 60}m${seconds % 60}s`
}

/**
 * Returns the error message for an invalid synchronization interval; undefined if it is valid. 0 disables scheduled
 * synchronization.
 *
 * @example
 * intervalProblem("10m") // => undefined
 * intervalProblem("1m") // => "must be 0, or at least 10m0s"
 */
export const intervalProblem = (text: string): string | undefined => {
  const seconds = secondsIn(text)
  if (seconds === undefined) return "must be a duration such as 8h30m"
  if (seconds > longestInterval) return "is too long"
  return seconds !== 0 && seconds < shortestInterval
    ? `must be 0, or at least ${intervalText(shortestInterval)}`
    : undefined
}
