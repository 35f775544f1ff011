import { Context, Duration } from "effect"

/**
 * The duration of a job's lease since its worker last renewed it; after that another worker may retry the job.
 *
 * The jobs of a killed process wait this long, unless a layer sets another duration.
 */
export const JobLease = Context.Reference<Duration.Duration>("@slipway/domain/forge/JobLease", {
  defaultValue: () => Duration.seconds(15)
})
