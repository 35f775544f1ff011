import { Result } from "effect"
import { textOf } from "./expressions/values.ts"
import { type Contexts, interpolated, said, scopeOf, valueOf } from "./expressions.ts"
import { combinationsOf, valuesShown } from "./matrix.ts"
import { isPersistent, isRecord } from "./reading.ts"
import { cutText, isStorable } from "./texts.ts"
import {
  type Concurrency,
  type JobPlan,
  longestGroup,
  mostJobs,
  type Plain,
  type PlainRecord,
  type Workflow
} from "./Workflow.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"

/** A job of a run before it has a number. */
export type PlannedJob = Pick<
  WorkflowJob,
  | "cancels"
  | "failFast"
  | "group"
  | "key"
  | "matrix"
  | "maxParallel"
  | "name"
  | "needs"
  | "persistent"
  | "runsOn"
  | "slot"
  | "steps"
  | "tolerant"
>

/** What expressions of a job read besides the values of its matrix. */
export type SharedContexts = Omit<Contexts, "matrix">

const longestName = 255

const nameOf = ({ key, name }: JobPlan, contexts: Contexts): string => {
  const values = Object.keys(contexts.matrix).length === 0 ? "" : ` (${valuesShown(contexts.matrix)})`
  if (name === undefined) return `${key}${values}`
  const filled = interpolated(name, contexts) ?? name
  // A name that stays the same for all jobs of a matrix tells them apart by their values.
  return filled === name ? `${name}${values}` : filled
}

const labelsOf = ({ key, runsOn }: JobPlan, contexts: Contexts): Result.Result<ReadonlyArray<string>, string> => {
  const labels: Array<string> = []
  for (const text of runsOn) {
    const value = valueOf(text, contexts)
    const all = Array.isArray(value) ? (value as ReadonlyArray<Plain>).map(String) : [interpolated(text, contexts)]
    for (const label of all) {
      if (label === undefined) {
        return Result.fail(`jobs.${key}.runs-on: \`${text.slice(0, 100)}\` can't be read before the job has a runner`)
      }
      if (label.length > longestName)
        return Result.fail(`jobs.${key}.runs-on: labels have at most ${longestName} characters`)
      labels.push(label)
    }
  }
  return Result.succeed([...new Set(labels)])
}

const stepsOf = (plan: JobPlan, contexts: Contexts): PlannedJob["steps"] =>
  plan.steps.map((name) => ({
    name: cutText(interpolated(name, contexts) ?? name, longestName),
    status: "waiting",
    conclusion: null,
    startedAt: null,
    stoppedAt: null,
    logIndex: 0,
    logLength: 0
  }))

/** Returns a setting as it is written, or as its expression says; what is wrong names its place. */
const settingOf = (value: Plain, place: string, contexts: Contexts): Result.Result<Plain, string> =>
  typeof value === "string"
    ? Result.mapError(said(value, scopeOf(contexts)), (because) => `${place}: ${because}`)
    : Result.succeed(value)

const switchOf = (value: Plain, place: string, contexts: Contexts): Result.Result<boolean, string> =>
  Result.flatMap(settingOf(value, place, contexts), (word) =>
    typeof word === "boolean" || word === "true" || word === "false"
      ? Result.succeed(word === true || word === "true")
      : Result.fail(`${place}: must be true or false`)
  )

const boundOf = (value: Plain, place: string, contexts: Contexts): Result.Result<number | null, string> =>
  Result.flatMap(settingOf(value, place, contexts), (word) => {
    if (word === null || word === "") return Result.succeed(null)
    const most = Math.floor(Number(word))
    if (Number.isNaN(most)) return Result.fail(`${place}: must be a number`)
    return Result.succeed(most < 1 || most >= mostJobs ? null : most)
  })

/** A group as it is read, and whether who is of it cancels what is done of it. */
export type Grouped = Pick<WorkflowJob, "cancels" | "group">

/** Reads of which group a run or a job is; a name without letters is none. */
export const groupOf = (
  concurrency: Concurrency | undefined,
  place: string,
  contexts: Contexts
): Result.Result<Grouped, string> => {
  if (concurrency === undefined) return Result.succeed({ group: null, cancels: false })
  const read = Result.all({
    group: settingOf(concurrency.group, `${place}.group`, contexts),
    cancels: switchOf(concurrency.cancels, `${place}.cancel-in-progress`, contexts)
  })
  return Result.flatMap(read, ({ cancels, group: value }) => {
    const group = textOf(value).trim().toLowerCase()
    if (group.length > longestGroup || !isStorable(group)) {
      return Result.fail(`${place}.group: must have at most ${longestGroup} characters that can be kept`)
    }
    return Result.succeed({ group: group === "" ? null : group, cancels })
  })
}

/** Reads how a job goes along with others. */
const mannersOf = (plan: JobPlan, contexts: Contexts) => {
  const place = `jobs.${plan.key}`
  return Result.all({
    group: groupOf(plan.concurrency, `${place}.concurrency`, contexts),
    failFast: switchOf(plan.failFast, `${place}.strategy.fail-fast`, contexts),
    maxParallel: boundOf(plan.maxParallel, `${place}.strategy.max-parallel`, contexts),
    tolerant: switchOf(plan.tolerant, `${place}.continue-on-error`, contexts)
  })
}

/** Returns the jobs that a workflow has in a run, each with the values of its matrix. */
export const jobsOf = (
  { jobs }: Pick<Workflow, "jobs">,
  shared: SharedContexts
): Result.Result<ReadonlyArray<PlannedJob>, string> => {
  const planned: Array<PlannedJob> = []
  for (const plan of jobs) {
    const combinations = plan.matrix === undefined ? [{}] : combinationsOf(plan.matrix, mostJobs - planned.length)
    if (combinations === undefined) return Result.fail(`jobs: must be at most ${mostJobs}, with those of matrices`)
    if (combinations.length === 0) return Result.fail(`jobs.${plan.key}.strategy.matrix: leaves no job`)
    for (const matrix of combinations) {
      const contexts = { ...shared, matrix }
      const runsOn = labelsOf(plan, contexts)
      if (Result.isFailure(runsOn)) return Result.fail(runsOn.failure)
      const manners = mannersOf(plan, contexts)
      if (Result.isFailure(manners)) return Result.fail(manners.failure)
      const { group, ...rest } = manners.success
      planned.push({
        ...rest,
        ...group,
        slot: planned.length,
        key: plan.key,
        name: cutText(nameOf(plan, contexts), longestName),
        needs: plan.needs,
        runsOn: runsOn.success,
        matrix,
        persistent: isPersistent(plan.condition),
        steps: stepsOf(plan, contexts)
      })
    }
  }
  return planned.length > mostJobs
    ? Result.fail(`jobs: must be at most ${mostJobs}, with those of matrices`)
    : Result.succeed(planned)
}

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

/** Returns the jobs that a workflow has in a run, and of which group the run is. */
export const plannedRun = (
  workflow: Pick<Workflow, "concurrency" | "jobs">,
  shared: SharedContexts
): Result.Result<Grouped & { readonly jobs: ReadonlyArray<PlannedJob> }, string> =>
  Result.flatMap(groupOf(workflow.concurrency, "concurrency", { ...shared, matrix: {} }), (grouped) =>
    Result.flatMap(jobsOf(workflow, shared), (jobs) => {
      const same = jobs.find(({ group }) => group !== null && group === grouped.group)
      return same === undefined
        ? Result.succeed({ ...grouped, jobs })
        : Result.fail(`jobs.${same.key}.concurrency: would have the job wait for its own run`)
    })
  )
