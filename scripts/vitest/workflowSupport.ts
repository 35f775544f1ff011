import { type JobState, type PlainValue, readWorkflow, type WorkflowJobId } from "@slipway/domain/forge/automation"
import { Result } from "effect"

/** Returns an expression in the syntax of workflows. */
export const expression = (text: string): string => `\${{ ${text} }}`

/** A job of one step. */
export const job = { "runs-on": "linux", steps: [{ run: "make" }] }

/** Returns the problem of a workflow. */
export const problem = (value: PlainValue): string =>
  Result.getOrElse(Result.flip(readWorkflow(value)), () => "nothing")

/** A job of a run without dependencies and without a matrix. */
export const jobState = (slot: number, more: Partial<JobState> = {}): JobState => ({
  id: slot as WorkflowJobId,
  key: "a",
  needs: [],
  status: "blocked",
  conclusion: null,
  persistent: false,
  attempt: 1,
  failFast: true,
  maxParallel: null,
  tolerant: false,
  group: null,
  slot,
  caller: null,
  calls: "",
  open: false,
  ...more
})
