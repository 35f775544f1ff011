import { storable } from "../../../storable.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"

/** The maximum number of outputs of a job, and their maximum total length in characters. */
const mostOutputs = 1_000
const longestOutputs = 1_048_576

/** Adds outputs to those of a job; existing outputs are not replaced, and outputs above the limits are discarded. */
export const outputsWith = (before: WorkflowJob["outputs"], said: WorkflowJob["outputs"]): WorkflowJob["outputs"] => {
  const outputs = new Map(Object.entries(before))
  let length = [...outputs].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  for (const [name, value] of Object.entries(said)) {
    length += name.length + value.length
    if (outputs.has(name) || name.length > 255 || length > longestOutputs || outputs.size >= mostOutputs) continue
    outputs.set(storable(name), storable(value))
  }
  return Object.fromEntries(outputs)
}
