/** The fields by which a deployment in a forge's API is found; a null environment matches every environment. */
interface SoughtDeployment {
  readonly task: string
  readonly commit: string
  readonly environment: string | null
}

/** Returns the query string that filters the forge's list of deployments. */
export const queryOf = ({ commit, environment, task }: SoughtDeployment): string =>
  new URLSearchParams({
    limit: "1",
    task,
    sha: commit,
    ...(environment === null ? {} : { environment })
  }).toString()

/**
 * Returns the listed deployment with the same task, commit and environment; undefined if there is none.
 *
 * Compares all fields again, because a forge may ignore the filters of the query.
 */
export const soughtAmong = (
  { commit, environment, task }: SoughtDeployment,
  listed: ReadonlyArray<{
    readonly id: number
    readonly task: string
    readonly sha: string
    readonly environment: string
  }>
) =>
  listed.find(
    (each) =>
      each.task === task &&
      each.sha === commit &&
      (environment === null || each.environment.toLowerCase() === environment.toLowerCase())
  )
