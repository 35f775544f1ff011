import { Result } from "effect"
import { callIn, readCallSignature } from "./calls.ts"
import { type Budget, textOf } from "./expressions/values.ts"
import { evaluateTexts, holds, scopeOf } from "./expressions.ts"
import { typedValues } from "./inputs.ts"
import { outputsWith } from "./outputs.ts"
import { isRecord } from "./plainValues.ts"
import { resultsOf } from "./progress.ts"
import { isPersistent } from "./readWorkflow.ts"
import type { PlainRecord, PlainValue } from "./Workflow.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"

/** The data of a run that is needed to evaluate expressions: its workflow, called workflows, and contexts. */
export interface RunFacts {
  readonly workflow: PlainValue
  /** The reusable workflows that the run calls, by path. */
  readonly called: PlainRecord
  readonly github: PlainRecord
  readonly vars: PlainRecord
  /** The input values that the user entered to start the run. */
  readonly inputs: PlainRecord
  readonly budget: Budget
}

/** The fields of a job that are needed to evaluate its expressions. */
export type CallJob = Pick<
  WorkflowJob,
  "caller" | "calls" | "conclusion" | "key" | "matrix" | "needs" | "open" | "outputs" | "slot" | "status" | "tolerant"
>

const recordIn = (value: PlainValue | undefined): PlainRecord => (isRecord(value) ? value : {})

const callerOf = ({ caller }: Pick<CallJob, "caller">, jobs: ReadonlyArray<CallJob>): CallJob | undefined =>
  caller === null ? undefined : jobs.find(({ slot }) => slot === caller)

/** Returns the parsed workflow file that contains a job: that of the run, or a called reusable workflow. */
export const workflowAround = (job: CallJob, jobs: ReadonlyArray<CallJob>, facts: RunFacts): PlainRecord => {
  const caller = callerOf(job, jobs)
  return recordIn(caller === undefined ? facts.workflow : facts.called[caller.calls])
}

const writtenOf = (job: CallJob, jobs: ReadonlyArray<CallJob>, facts: RunFacts): PlainRecord =>
  recordIn(recordIn(workflowAround(job, jobs, facts).jobs)[job.key])

/** Returns the results and outputs of a workflow's jobs by key, without jobs that have not ended. */
const endedAmong = (caller: number | null, jobs: ReadonlyArray<CallJob>): PlainRecord => {
  const own = jobs.filter((job) => job.caller === caller)
  const outputs = new Map<string, PlainRecord>()
  for (const job of own) outputs.set(job.key, { ...outputs.get(job.key), ...job.outputs })
  return Object.fromEntries(
    [...resultsOf(own)].flatMap(([key, result]) =>
      result === undefined ? [] : [[key, { result, outputs: outputs.get(key) ?? {} }]]
    )
  )
}

const callSignatureOf = (caller: CallJob, { called }: RunFacts) => {
  const on = recordIn(called[caller.calls]).on
  return readCallSignature(isRecord(on) ? on.workflow_call : undefined)
}

/** Returns the inputs that a job passes to the reusable workflow that it calls; fails with the first invalid input. */
const inputsOfCall = (
  caller: CallJob,
  jobs: ReadonlyArray<CallJob>,
  facts: RunFacts
): Result.Result<PlainRecord, string> => {
  const { inputs } = callIn(writtenOf(caller, jobs, facts), "")
  const { texts, unknown } = evaluateTexts(inputs, scopeOf(contextsOf(caller, jobs, facts)))
  if (unknown[0] !== undefined) return Result.fail(unknown[0])
  // Missing required inputs were reported at the planning of the run.
  const asked = Object.entries(callSignatureOf(caller, facts).inputs).map(
    ([name, input]) => [name, { ...input, required: false }] as const
  )
  return typedValues(Object.fromEntries(asked), Object.fromEntries(texts))
}

/**
 * Returns the context `inputs` of a job: from the job that calls its workflow, or from the user who started the run.
 */
export const inputsAround = (job: CallJob, jobs: ReadonlyArray<CallJob>, facts: RunFacts): PlainRecord => {
  const caller = callerOf(job, jobs)
  return caller === undefined ? facts.inputs : Result.getOrElse(inputsOfCall(caller, jobs, facts), () => ({}))
}

const contextsOf = (job: CallJob, jobs: ReadonlyArray<CallJob>, facts: RunFacts) => {
  const ended = endedAmong(job.caller, jobs)
  return {
    budget: facts.budget,
    github: facts.github,
    vars: facts.vars,
    inputs: inputsAround(job, jobs, facts),
    // BOUNDARY: it was written as JSON when the job was stored.
    matrix: job.matrix as PlainRecord,
    needs: Object.fromEntries(job.needs.flatMap((key) => (ended[key] === undefined ? [] : [[key, ended[key]]])))
  }
}

/** Returns the contexts for the expressions of a job after the jobs in its `needs` have ended. */
export const scopeAround = (job: CallJob, jobs: ReadonlyArray<CallJob>, facts: RunFacts) =>
  scopeOf(contextsOf(job, jobs, facts))

const conditionHolds = (job: CallJob, jobs: ReadonlyArray<CallJob>, facts: RunFacts): boolean | undefined => {
  const condition = textOf(writtenOf(job, jobs, facts).if ?? null)
  const contexts = contextsOf(job, jobs, facts)
  const results = Object.values(contexts.needs).map((need) => recordIn(need).result)
  const success = results.every((result) => result === "success")
  if (condition === "") return success
  const scope = {
    ...scopeOf(contexts),
    functions: {
      always: () => true,
      cancelled: () => false,
      failure: () => results.includes("failure"),
      success: () => success
    }
  }
  const isAsked = isPersistent(condition) || /(?:^|[^\w.])success\s*\(/.test(condition)
  return Result.getOrUndefined(Result.map(holds(condition, scope), (value) => value && (isAsked || success)))
}

/**
 * Evaluates the condition of a job that calls a reusable workflow, or has an unevaluated matrix, after the jobs in its
 * `needs` have ended.
 *
 * Returns undefined if the evaluation fails, or if the inputs for the workflow are invalid.
 */
export const callHolds = (job: CallJob, jobs: ReadonlyArray<CallJob>, facts: RunFacts): boolean | undefined => {
  const value = conditionHolds(job, jobs, facts)
  // The outputs of a job with an open matrix are evaluated once its matrix is known.
  if (job.open || job.calls === "") return value
  return value === true && Result.isFailure(inputsOfCall(job, jobs, facts)) ? undefined : value
}

/** Returns the outputs of a job that calls a reusable workflow, after all jobs of that workflow have ended. */
export const callOutputs = (job: CallJob, jobs: ReadonlyArray<CallJob>, facts: RunFacts): WorkflowJob["outputs"] => {
  const inner = { ...job, caller: job.slot }
  const { budget, github, vars } = facts
  const scope = scopeOf({
    budget,
    github,
    vars,
    inputs: inputsAround(inner, jobs, facts),
    jobs: endedAmong(job.slot, jobs)
  })
  return outputsWith({}, Object.fromEntries(evaluateTexts(callSignatureOf(job, facts).outputs, scope).texts))
}

/** Returns the secrets that a job receives: those of the run, limited to what each calling job passes on. */
export const secretsAround = (
  job: CallJob,
  jobs: ReadonlyArray<CallJob>,
  facts: RunFacts,
  all: Readonly<Record<string, string>>
): Readonly<Record<string, string>> => {
  const caller = callerOf(job, jobs)
  if (caller === undefined) return all
  const passedSecrets = secretsAround(caller, jobs, facts, all)
  const { secrets } = callIn(writtenOf(caller, jobs, facts), "")
  if (secrets === "inherit") return passedSecrets
  const scope = scopeOf({ ...contextsOf(caller, jobs, facts), secrets: passedSecrets })
  return Object.fromEntries(evaluateTexts(secrets, scope).texts)
}
