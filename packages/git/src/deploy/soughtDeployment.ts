/** The facts by which a forge's deployment is found; a null environment is not compared. */
interface SoughtDeployment {
  readonly task: string
  readonly commit: string
  readonly environment: string | null
}

/** Returns the query that finds a deployment. */
export const queryOf = ({ commit, environment, task }: SoughtDeployment): string =>
  new URLSearchParams({
    limit: "1",
    task,
    sha: commit,
    ...(environment === null ? {} : { environment })
  }).toString()

/**
 * Returns the deployment among those that a forge lists. A forge may ignore filters, and writers of the repository
 * create deployments with any task: one of another commit or environment says nothing about this one.
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
