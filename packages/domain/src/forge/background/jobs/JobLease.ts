import { Context, Duration } from "effect"

/**
 * How long a job is its taker's, from the last time they said that they are at it; another may begin it anew then.
 *
 * So long does what a killed process left wait, unless a layer says otherwise.
 */
export const JobLease = Context.Reference<Duration.Duration>("@slipway/domain/forge/JobLease", {
  defaultValue: () => Duration.seconds(15)
})
