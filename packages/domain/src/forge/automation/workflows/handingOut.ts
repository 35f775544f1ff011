import { isRecord } from "./plain.ts"
import type { Plain, PlainRecord } from "./Workflow.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"

/** Writes JSON so that readers of YAML read the same: line ends that only one of them knows are escaped. */
const writtenJson = (value: Plain): string =>
  JSON.stringify(value, null, 1).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/**
 * Returns the workflow of one job alone, as a runner is given it: JSON, which is YAML too.
 *
 * Its matrix has one value of each name, and what it needs is left out, since the runner is told of that apart.
 */
export const workflowOfJob = (
  workflow: Plain,
  { key, matrix, runsOn }: Pick<WorkflowJob, "key" | "matrix" | "runsOn">
): string | undefined => {
  const jobs = isRecord(workflow) ? workflow.jobs : undefined
  const written = isRecord(jobs) ? jobs[key] : undefined
  if (!isRecord(workflow) || !isRecord(written)) return undefined
  const { needs: _, strategy, ...job } = written
  const values = Object.entries(matrix as PlainRecord)
  const single =
    values.length === 0
      ? {}
      : {
          strategy: {
            ...(isRecord(strategy) ? strategy : {}),
            matrix: Object.fromEntries(values.map(([name, value]) => [name, [value]]))
          }
        }
  return writtenJson({ ...workflow, jobs: { [key]: { ...job, "runs-on": runsOn, ...single } } })
}
