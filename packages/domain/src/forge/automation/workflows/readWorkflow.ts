import { Result } from "effect"
import { cronProblem, isTimeZone } from "../../../cron.ts"
import { callIn, checkCondition, readCallSignature } from "./calls.ts"
import { inputsIn } from "./inputs.ts"
import { checkOpen, isOpen, matrixIn } from "./matrices.ts"
import { type Complain, isList, isRecord, textOf, textsIn } from "./plainValues.ts"
import { isStorable } from "./storableText.ts"
import { filterPatternProblem } from "./triggers/filterPatterns.ts"
import {
  type Concurrency,
  type CronSchedule,
  type EventFilter,
  eventFilters,
  type JobPlan,
  mostJobs,
  mostPatterns,
  mostSchedules,
  mostSteps,
  type PlainValue,
  type Workflow
} from "./Workflow.ts"
import { type WorkflowEvent, workflowEvents } from "./WorkflowRun.ts"

const keyForm = /^[A-Za-z_][\w-]{0,99}$/
const persistence = /(?:^|[^\w.])(?:always|cancelled|failure)\s*\(/

const isEvent = (word: string): word is WorkflowEvent => workflowEvents.some((event) => event === word)

const filterIn = (value: PlainValue | undefined, place: string, complain: Complain): EventFilter => {
  if (value === null || value === undefined) return {}
  if (!isRecord(value)) {
    complain(place, "must be a map")
    return {}
  }
  const filter = eventFilters.flatMap((word) => {
    const patterns = value[word]
    if (patterns === undefined || patterns === null) return []
    const texts = textsIn(patterns, `${place}.${word}`, complain)
    if (texts.length > mostPatterns) complain(`${place}.${word}`, `must have at most ${mostPatterns} patterns`)
    // Workflows are called by their names, which are not patterns.
    for (const text of word === "workflows" || word === "types" ? [] : texts) {
      const problem = filterPatternProblem(text)
      if (problem !== undefined) complain(`${place}.${word}`, problem)
    }
    return [[word, texts] as const]
  })
  return Object.fromEntries(filter)
}

const scheduleProblems = {
  invalid: "must be a cron schedule of five fields",
  never: "must name a day that exists: this schedule is never due"
} as const

const schedulesIn = (value: PlainValue | undefined, complain: Complain): ReadonlyArray<CronSchedule> => {
  if (value === undefined) return []
  const all = isList(value) ? value : [value]
  if (all.length > mostSchedules) complain("on.schedule", `must have at most ${mostSchedules} entries`)
  return all.flatMap((each, at) => {
    const text = isRecord(each) ? textOf(each.cron) : undefined
    const problem = text === undefined ? "invalid" : cronProblem(text)
    const timezone = isRecord(each) && each.timezone !== undefined ? textOf(each.timezone) : "UTC"
    const isZone = timezone !== undefined && isTimeZone(timezone)
    if (text === undefined || problem !== undefined) {
      complain(`on.schedule[${at}].cron`, scheduleProblems[problem ?? "invalid"])
    }
    if (!isZone) complain(`on.schedule[${at}].timezone`, "must be an IANA time zone, such as `Europe/Berlin`")
    return text !== undefined && problem === undefined && isZone ? [{ cron: text, timezone }] : []
  })
}

const eventsIn = (value: PlainValue | undefined, complain: Complain) => {
  const words = isRecord(value) ? Object.keys(value) : value === undefined ? [] : textsIn(value, "on", complain)
  if (words.length === 0) complain("on", "must name an event")
  const filters = isRecord(value) ? value : {}
  const on = words.flatMap((word) => {
    if (!isEvent(word)) return []
    // These two events have lists and maps in place of filters.
    const isOwn = word === "schedule" || word === "workflow_dispatch"
    const filter = isOwn ? {} : filterIn(filters[word], `on.${word}`, complain)
    if (word === "workflow_run" && (filter.workflows ?? []).length === 0) {
      complain("on.workflow_run.workflows", "must name a workflow")
    }
    return [[word, filter] as const]
  })
  const dispatched = filters.workflow_dispatch
  const asked = isRecord(dispatched) ? dispatched.inputs : undefined
  return {
    on: Object.fromEntries(on),
    inputs: inputsIn(asked, "on.workflow_dispatch.inputs", complain),
    call: words.includes("workflow_call") ? readCallSignature(filters.workflow_call, complain) : undefined,
    schedules: schedulesIn(filters.schedule, complain)
  }
}

const isExpression = (value: PlainValue | undefined): boolean => typeof value === "string" && value.includes("${{")

/** Parses a value that must have a type or be an expression; reports other values. */
const plainIn = (
  value: PlainValue | undefined,
  type: "boolean" | "number",
  usual: PlainValue,
  place: string,
  complain: Complain
): PlainValue => {
  if (value === undefined || value === null) return usual
  if (typeof value === type || isExpression(value)) return value
  complain(place, type === "boolean" ? "must be true or false" : "must be a number")
  return usual
}

const concurrencyIn = (value: PlainValue | undefined, place: string, complain: Complain): Concurrency | undefined => {
  if (value === undefined || value === null) return undefined
  const settings = isRecord(value) ? value : { group: value }
  const group = textOf(settings.group)
  if (group === undefined) complain(`${place}.group`, "must be a text")
  if (settings.queue !== undefined && settings.queue !== "single")
    complain(`${place}.queue`, "must be `single`: only one run waits")
  const cancels = plainIn(settings["cancel-in-progress"], "boolean", false, `${place}.cancel-in-progress`, complain)
  return { group: group ?? "", cancels }
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? ""

const stepName = (step: PlainValue, at: number): string => {
  if (!isRecord(step)) return `Step ${at + 1}`
  const name = textOf(step.name)
  if (name !== undefined && name !== "") return name
  const uses = textOf(step.uses)
  if (uses !== undefined) return `Run ${uses}`
  return `Run ${firstLine(textOf(step.run) ?? "")}`.trim()
}

const stepsIn = (value: PlainValue | undefined, place: string, complain: Complain): ReadonlyArray<string> => {
  const steps = isList(value) ? value : []
  if (steps.length === 0) complain(place, "must have a step")
  if (steps.length > mostSteps) complain(place, `must have at most ${mostSteps} steps`)
  for (const [at, step] of steps.entries()) {
    if (!isRecord(step) || (textOf(step.run) === undefined) === (textOf(step.uses) === undefined)) {
      complain(`${place}[${at}]`, "must have either `run` or `uses`")
    }
  }
  return steps.map(stepName)
}

const runsOnIn = (value: PlainValue | undefined, place: string, complain: Complain): ReadonlyArray<string> => {
  const labels = isRecord(value) ? value.labels : value
  const texts = labels === undefined ? [] : textsIn(labels, place, complain)
  if (texts.length === 0) complain(place, "must name a label of a runner")
  return texts
}

const jobIn = (key: string, value: PlainValue | undefined, complain: Complain): JobPlan => {
  const place = `jobs.${key}`
  if (!keyForm.test(key))
    complain(place, "must begin with a letter or `_` and may only contain letters, digits, `_` and `-`")
  const written = isRecord(value) ? value : {}
  if (!isRecord(value)) complain(place, "must be a map")
  const call = written.uses === undefined ? undefined : callIn(written, place, complain)
  const ask: Complain = isRecord(value) ? complain : () => undefined
  const strategy = isRecord(written.strategy) ? written.strategy : {}
  const matrixPlace = `${place}.strategy.matrix`
  const openMatrix = isOpen(strategy.matrix) ? strategy.matrix : undefined
  if (openMatrix !== undefined) {
    checkOpen(openMatrix, matrixPlace, ask)
    // The condition is checked before the matrix is expanded, unlike in runners.
    checkCondition(written, place, ask)
  }
  return {
    key,
    name: textOf(written.name),
    needs:
      written.needs === undefined || written.needs === null
        ? []
        : [...new Set(textsIn(written.needs, `${place}.needs`, ask))],
    call,
    runsOn: call === undefined ? runsOnIn(written["runs-on"], `${place}.runs-on`, ask) : [],
    matrix: openMatrix === undefined ? matrixIn(strategy.matrix, matrixPlace, ask) : undefined,
    openMatrix,
    failFast: plainIn(strategy["fail-fast"], "boolean", true, `${place}.strategy.fail-fast`, ask),
    maxParallel: plainIn(strategy["max-parallel"], "number", null, `${place}.strategy.max-parallel`, ask),
    tolerant: plainIn(written["continue-on-error"], "boolean", false, `${place}.continue-on-error`, ask),
    concurrency: concurrencyIn(written.concurrency, `${place}.concurrency`, ask),
    condition: textOf(written.if) ?? "",
    steps: call === undefined ? stepsIn(written.steps, `${place}.steps`, ask) : [],
    written
  }
}

/** Returns the keys of jobs that can never start because of a cycle in `needs`; empty if there is no cycle. */
const circleIn = (jobs: ReadonlyArray<JobPlan>): ReadonlyArray<string> => {
  let left = jobs
  for (;;) {
    const keys = new Set(left.map(({ key }) => key))
    const next = left.filter(({ needs }) => needs.some((each) => keys.has(each)))
    if (next.length === left.length) return next.map(({ key }) => key)
    left = next
  }
}

const checkNeeds = (jobs: ReadonlyArray<JobPlan>, complain: Complain) => {
  const keys = new Set(jobs.map(({ key }) => key))
  for (const { key, needs } of jobs) {
    for (const each of needs) {
      if (!keys.has(each)) complain(`jobs.${key}.needs`, `names \`${each.slice(0, 100)}\`, which is not a job`)
    }
  }
  const circle = circleIn(jobs)
  if (circle.length > 0) complain("jobs", `form a circular dependency: ${circle.slice(0, 5).join(", ")}`)
}

/** Returns whether a condition must be evaluated even if jobs in `needs` did not succeed, as with `always()`. */
export const isPersistent = (condition: string): boolean => persistence.test(condition)

/**
 * Converts parsed YAML to a workflow; fails with the problems and their locations.
 *
 * Unsupported events, and keys that only runners need, are ignored.
 */
export const readWorkflow = (value: PlainValue): Result.Result<Workflow, string> => {
  const problems: Array<string> = []
  const complain: Complain = (place, problem) => {
    problems.push(`${place}: ${problem}`)
  }
  if (!isRecord(value)) return Result.fail("the file must have a map with `on` and `jobs`")
  if (!isStorable(value)) return Result.fail("the file has characters that cannot be stored")
  const { jobs: jobsGiven, on, ...shared } = value
  const events = eventsIn(on ?? undefined, complain)
  const entries = isRecord(jobsGiven) ? Object.entries(jobsGiven) : []
  if (entries.length === 0) complain("jobs", "must be a map with a job")
  if (entries.length > mostJobs) complain("jobs", `must be at most ${mostJobs}`)
  const jobs = entries.slice(0, mostJobs).map(([key, job]) => jobIn(key, job, complain))
  checkNeeds(jobs, complain)
  const concurrency = concurrencyIn(value.concurrency, "concurrency", complain)
  const runName = textOf(value["run-name"])
  return problems.length > 0
    ? Result.fail(problems.slice(0, 3).join("; "))
    : Result.succeed({ name: textOf(value.name) ?? "", runName, ...events, concurrency, jobs, shared })
}
