import { Context, Duration } from "effect"

/**
 * The duration of a job's lease, which the worker renews while it runs; after it expires, another worker retries the
 * job.
 *
 * So the jobs of a killed process are retried after this time.
 */
export const JobLease = Context.Reference<Duration.Duration>("@slipway/domain/forge/JobLease", {
  defaultValue: () => Duration.seconds(15)
})
