import { isRecord } from "./plainValues.ts"
import type { PlainRecord, PlainValue } from "./Workflow.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"

/** Formats a value as JSON that is also valid YAML; escapes characters that only YAML treats as line ends. */
const writtenJson = (value: PlainValue): string =>
  JSON.stringify(value, null, 1).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

/**
 * Returns a workflow with a single job for a runner, as JSON, which is also valid YAML.
 *
 * Its matrix has one value per name. The key `needs` is omitted, because the runner receives the results separately.
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
