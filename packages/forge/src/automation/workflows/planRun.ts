import {
  type Call,
  type CallSignature,
  type Concurrency,
  type Contexts,
  closedMatrix,
  combinationsOf,
  cutText,
  evaluateText,
  evaluateTexts,
  interpolate,
  isKnownLater,
  isPersistent,
  isStorable,
  type JobPlan,
  longestGroup,
  longestValues,
  mostJobs,
  type PlainRecord,
  type PlainValue,
  type ExpressionScope as Scope,
  expressionScopeOf as scopeOf,
  textOf,
  typedValues,
  valueOf,
  valuesShown,
  type Workflow,
  type WorkflowJob,
  waitingStep
} from "@slipway/domain/forge/automation"
import { Result } from "effect"
import type { Called } from "./files.ts"

/** A job of a run as planned from the workflow file, before it is stored. */
export type PlannedJob = Pick<
  WorkflowJob,
  | "caller"
  | "calls"
  | "cancels"
  | "failFast"
  | "group"
  | "key"
  | "matrix"
  | "maxParallel"
  | "name"
  | "needs"
  | "open"
  | "persistent"
  | "runsOn"
  | "slot"
  | "steps"
  | "tolerant"
>

/** The contexts (such as `github` or `needs`) that expressions of a job can use, without `matrix`. */
export type SharedContexts = Omit<Contexts, "matrix">

type CallContexts = Pick<Contexts, "inputs" | "later">

const longestName = 255

const nameOf = ({ key, name }: JobPlan, contexts: Contexts): string => {
  const values = Object.keys(contexts.matrix).length === 0 ? "" : ` (${valuesShown(contexts.matrix)})`
  if (name === undefined) return `${key}${values}`
  const filled = interpolate(name, contexts) ?? name
  // Jobs of a matrix with the same name are distinguished by their values.
  return filled === name ? `${name}${values}` : filled
}

const labelsOf = (
  { runsOn }: JobPlan,
  place: string,
  contexts: Contexts
): Result.Result<ReadonlyArray<string>, string> => {
  const labels: Array<string> = []
  for (const text of runsOn) {
    const value = valueOf(text, contexts)
    const all = Array.isArray(value) ? (value as ReadonlyArray<PlainValue>).map(String) : [interpolate(text, contexts)]
    for (const label of all) {
      if (label === undefined) {
        return Result.fail(
          `${place}.runs-on: \`${text.slice(0, 100)}\` cannot be evaluated before the job has a runner`
        )
      }
      if (label.length > longestName)
        return Result.fail(`${place}.runs-on: labels have at most ${longestName} characters`)
      labels.push(label)
    }
  }
  return Result.succeed([...new Set(labels)])
}

const stepsOf = (plan: JobPlan, contexts: Contexts): PlannedJob["steps"] =>
  plan.steps.map((name) => waitingStep(cutText(interpolate(name, contexts) ?? name, longestName)))

/**
 * Returns the value of a setting in a workflow, evaluating its expression, if any. Error messages contain its path in
 * the file.
 */
const settingOf = (value: PlainValue, place: string, contexts: Contexts): Result.Result<PlainValue, string> =>
  typeof value === "string"
    ? Result.mapError(evaluateText(value, scopeOf(contexts)), (because) => `${place}: ${because}`)
    : Result.succeed(value)

/** Evaluates a boolean setting of a workflow; an empty result means the default. */
const switchOf = (
  value: PlainValue,
  usual: boolean,
  place: string,
  contexts: Contexts
): Result.Result<boolean, string> =>
  Result.flatMap(settingOf(value, place, contexts), (word) => {
    if (word === null || word === "") return Result.succeed(usual)
    return typeof word === "boolean" || word === "true" || word === "false"
      ? Result.succeed(word === true || word === "true")
      : Result.fail(`${place}: must be true or false`)
  })

const boundOf = (value: PlainValue, place: string, contexts: Contexts): Result.Result<number | null, string> =>
  Result.flatMap(settingOf(value, place, contexts), (word) => {
    if (word === null || word === "") return Result.succeed(null)
    const most = Math.floor(Number(word))
    if (Number.isNaN(most)) return Result.fail(`${place}: must be a number`)
    return Result.succeed(most < 1 || most >= mostJobs ? null : most)
  })

/** The name of a concurrency group, and whether a new member cancels a running one (`cancel-in-progress`). */
export type Grouped = Pick<WorkflowJob, "cancels" | "group">

/** Evaluates the concurrency group of a run or job; the group is null if the name is empty. */
export const groupOf = (
  concurrency: Concurrency | undefined,
  place: string,
  contexts: Contexts
): Result.Result<Grouped, string> => {
  if (concurrency === undefined) return Result.succeed({ group: null, cancels: false })
  const read = Result.all({
    group: settingOf(concurrency.group, `${place}.group`, contexts),
    cancels: switchOf(concurrency.cancels, false, `${place}.cancel-in-progress`, contexts)
  })
  return Result.flatMap(read, ({ cancels, group: value }) => {
    const group = textOf(value).trim().toLowerCase()
    if (group.length > longestGroup || !isStorable(group)) {
      return Result.fail(`${place}.group: must have at most ${longestGroup} characters that can be stored`)
    }
    return Result.succeed({ group: group === "" ? null : group, cancels })
  })
}

/** Evaluates the settings that control the execution of a job, such as `concurrency` and `fail-fast`. */
const mannersOf = (plan: JobPlan, place: string, contexts: Contexts) => {
  return Result.all({
    group: groupOf(plan.concurrency, `${place}.concurrency`, contexts),
    failFast: switchOf(plan.failFast, true, `${place}.strategy.fail-fast`, contexts),
    maxParallel: boundOf(plan.maxParallel, `${place}.strategy.max-parallel`, contexts),
    tolerant: switchOf(plan.tolerant, false, `${place}.continue-on-error`, contexts)
  })
}

/** A job that calls a reusable workflow. */
export interface Caller {
  readonly slot: number
  readonly name: string
  readonly place: string
  /** The concurrency groups of the calling job and of the jobs that call it in turn. */
  readonly groups: ReadonlyArray<string>
}

/** Returns the inputs of a called workflow. Inputs with unknown values are omitted, and listed in `later`. */
const knownInputs = ({ inputs }: Call, asked: CallSignature, scope: Scope): Result.Result<CallContexts, string> => {
  const { texts, unknown } = evaluateTexts(inputs, scope)
  const wrong = unknown.find((name) => !Object.hasOwn(asked.inputs, name))
  if (wrong !== undefined) return Result.fail(wrong)
  const later = new Set(unknown)
  const wanted = Object.fromEntries(Object.entries(asked.inputs).filter(([name]) => !later.has(name)))
  return Result.map(typedValues(wanted, Object.fromEntries(texts)), (known) => ({ inputs: known, later }))
}

/**
 * Returns the name of a secret that is passed but not declared by the called workflow, or required but not passed;
 * undefined if all are correct.
 */
const wrongSecret = ({ secrets }: Call, asked: CallSignature): string | undefined => {
  if (secrets === "inherit") return undefined
  const lacking = Object.entries(asked.secrets).find(
    ([name, { required }]) => required && !Object.hasOwn(secrets, name)
  )
  return lacking?.[0] ?? Object.keys(secrets).find((name) => !Object.hasOwn(asked.secrets, name))
}

/** The jobs of a run that were planned so far. */
class Planning {
  readonly jobs: Array<PlannedJob> = []
  readonly called: Called
  /** The number of jobs that the run already has. If `first` is set, the first planned job replaces one of them. */
  private readonly taken: number
  private readonly first: number | undefined
  private readonly combined = new Map<JobPlan, ReadonlyArray<PlainRecord> | undefined>()

  constructor(called: Called, taken = 0, first?: number) {
    this.called = called
    this.taken = taken
    this.first = first
  }

  /** Returns the matrix combinations of a job, computed once for all calls of its workflow. */
  readonly combinations = (plan: JobPlan): ReadonlyArray<PlainRecord> | undefined => {
    if (plan.matrix === undefined) return [{}]
    if (!this.combined.has(plan)) this.combined.set(plan, combinationsOf(plan.matrix, mostJobs))
    return this.combined.get(plan)
  }

  get count(): number {
    return this.taken + this.jobs.length - (this.first === undefined ? 0 : 1)
  }

  /** The slot (position in the run) of the next planned job. */
  get slot(): number {
    return this.jobs.length === 0 && this.first !== undefined ? this.first : this.count
  }
}

const tooMany = `jobs: must be at most ${mostJobs}, including jobs of matrices`

/** Returns a placeholder job for a matrix with values that are not known yet. */
const openJob = (plan: JobPlan, planning: Planning, caller: Caller | undefined): PlannedJob => ({
  slot: planning.slot,
  caller: caller?.slot ?? null,
  calls: plan.call?.path ?? "",
  key: plan.key,
  name: cutText(caller === undefined ? plan.key : `${caller.name} / ${plan.key}`, longestName),
  needs: plan.needs,
  runsOn: [],
  matrix: {},
  open: true,
  persistent: isPersistent(plan.condition),
  failFast: false,
  maxParallel: null,
  tolerant: false,
  group: null,
  cancels: false,
  steps: []
})

/** Plans the jobs of a matrix, and the jobs of the workflows that they call. Returns the error message, if any. */
const planMatrix = (
  plan: JobPlan,
  combinations: ReadonlyArray<PlainRecord> | undefined,
  shared: SharedContexts,
  planning: Planning,
  caller: Caller | undefined
): string | undefined => {
  const place = `${caller?.place ?? ""}jobs.${plan.key}`
  if (combinations === undefined || planning.count + combinations.length > mostJobs) return tooMany
  if (combinations.length === 0) return `${place}.strategy.matrix: has no combinations`
  for (const matrix of combinations) {
    if (JSON.stringify(matrix).length > longestValues) {
      return `${place}.strategy.matrix: the values of a job are too long`
    }
    const contexts = { ...shared, matrix }
    const read = Result.all([labelsOf(plan, place, contexts), mannersOf(plan, place, contexts)])
    if (Result.isFailure(read)) return read.failure
    const [runsOn, { group, ...manners }] = read.success
    if (group.group !== null && caller?.groups.includes(group.group) === true) {
      return `${place}.concurrency: the job would wait for its calling job`
    }
    const own = nameOf(plan, contexts)
    const job: PlannedJob = {
      ...manners,
      ...group,
      slot: planning.slot,
      caller: caller?.slot ?? null,
      calls: plan.call?.path ?? "",
      key: plan.key,
      name: cutText(caller === undefined ? own : `${caller.name} / ${own}`, longestName),
      needs: plan.needs,
      runsOn,
      matrix,
      open: false,
      persistent: isPersistent(plan.condition),
      steps: stepsOf(plan, contexts)
    }
    planning.jobs.push(job)
    const problem = plan.call && planCall(plan.call, job, place, contexts, planning, caller)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Plans the jobs of a workflow, and the jobs of the workflows that they call. Returns the error message, if any. */
const planJobs = (
  { jobs }: Pick<Workflow, "jobs">,
  shared: SharedContexts,
  planning: Planning,
  caller?: Caller
): string | undefined => {
  for (const plan of jobs) {
    const { openMatrix } = plan
    if (openMatrix !== undefined && isKnownLater(openMatrix, shared.later)) {
      if (planning.count >= mostJobs) return tooMany
      planning.jobs.push(openJob(plan, planning, caller))
      continue
    }
    const place = `${caller?.place ?? ""}jobs.${plan.key}.strategy.matrix`
    const values =
      openMatrix === undefined
        ? Result.succeed(planning.combinations(plan))
        : Result.map(closedMatrix(openMatrix, place, scopeOf(shared)), (matrix) => combinationsOf(matrix, mostJobs))
    if (Result.isFailure(values)) return values.failure
    const problem = planMatrix(plan, values.success, shared, planning, caller)
    if (problem !== undefined) return problem
  }
  return undefined
}

const planCall = (
  call: Call,
  { group, name, slot }: PlannedJob,
  place: string,
  { budget, github, vars, ...contexts }: Contexts,
  planning: Planning,
  caller: Caller | undefined
): string | undefined => {
  const workflow = planning.called.get(call.path)?.workflow
  if (workflow?.call === undefined) return `${place}.uses: is not a callable workflow`
  const secret = wrongSecret(call, workflow.call)
  if (secret !== undefined)
    return `${place}.secrets: \`${secret.slice(0, 100)}\` is not a declared secret, or is required and missing`
  const inputs = knownInputs(call, workflow.call, scopeOf({ budget, github, vars, ...contexts }))
  if (Result.isFailure(inputs)) {
    return `${place}.with: \`${inputs.failure.slice(0, 100)}\` is not a declared input, or has an invalid value`
  }
  const groups = [...(caller?.groups ?? []), ...(group === null ? [] : [group])]
  return planJobs(workflow, { budget, github, vars, ...inputs.success }, planning, {
    slot,
    name,
    place: `${place} / `,
    groups
  })
}

/**
 * Plans the jobs of a workflow: one per combination of matrix values, each followed by the jobs of the workflow that it
 * calls.
 */
export const jobsOf = (
  workflow: Pick<Workflow, "jobs">,
  shared: SharedContexts,
  called: Called = new Map()
): Result.Result<ReadonlyArray<PlannedJob>, string> => {
  const planning = new Planning(called)
  const problem = planJobs(workflow, shared, planning)
  return problem === undefined ? Result.succeed(planning.jobs) : Result.fail(problem)
}

/**
 * The input for expanding a matrix with values from other jobs: the contexts for expressions, and the number of jobs
 * that the run already has.
 */
export interface Opening {
  readonly shared: SharedContexts
  /** The names that expressions in the matrix can use, with their values. */
  readonly scope: Scope
  readonly called: Called
  readonly caller: Caller | undefined
  /** The slot (position in the run) of the placeholder job. */
  readonly first: number
  /** The number of jobs of the run so far, including the placeholder. */
  readonly taken: number
}

/** Plans the jobs of a matrix, and the jobs of the workflows that they call. */
export const plannedMatrix = (
  plan: JobPlan,
  { called, caller, first, scope, shared, taken }: Opening
): Result.Result<ReadonlyArray<PlannedJob>, string> => {
  const planning = new Planning(called, taken, first)
  const place = `${caller?.place ?? ""}jobs.${plan.key}.strategy.matrix`
  return Result.flatMap(closedMatrix(plan.openMatrix ?? null, place, scope), (matrix) => {
    const problem = planMatrix(plan, combinationsOf(matrix, mostJobs), shared, planning, caller)
    return problem === undefined ? Result.succeed(planning.jobs) : Result.fail(problem)
  })
}

/** Plans the jobs of a workflow, and evaluates the concurrency group of its run. */
export const plannedRun = (
  workflow: Pick<Workflow, "concurrency" | "jobs">,
  shared: SharedContexts,
  called: Called = new Map()
): Result.Result<Grouped & { readonly jobs: ReadonlyArray<PlannedJob> }, string> =>
  Result.flatMap(groupOf(workflow.concurrency, "concurrency", { ...shared, matrix: {} }), (grouped) =>
    Result.flatMap(jobsOf(workflow, shared, called), (jobs) => {
      const same = jobs.find(({ group }) => group !== null && group === grouped.group)
      return same === undefined
        ? Result.succeed({ ...grouped, jobs })
        : Result.fail(`jobs.${same.key}.concurrency: the job would wait for its own run`)
    })
  )
