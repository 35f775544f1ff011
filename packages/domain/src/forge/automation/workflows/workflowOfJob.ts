import { isRecord } from "./plainValues.ts"
import type { PlainRecord, PlainValue } from "./Workflow.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"

/** Writes JSON that YAML parsers read in the same way: line ends that only one of them knows are escaped. */
const writtenJson = (value: PlainValue): string =>
  JSON.stringify(value, null, 1).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/**
 * Returns the workflow of a single job, as a runner receives it: JSON, which is valid YAML.
 *
 * Its matrix has one value per name. The job's needs are omitted, because the runner receives them separately.
 */
export const workflowOfJob = (
  workflow: PlainValue,
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
