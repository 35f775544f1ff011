import type { Pieces } from "../../../code/patterns/patterns.ts"
import type { EventFilter, Workflow } from "../Workflow.ts"
import type { WorkflowEvent } from "../WorkflowRun.ts"
import { includedAmong, isIncluded, type StepBudget } from "./filterPatterns.ts"

/** The event fields that determine the triggered workflows. */
export interface TriggerEvent {
  readonly event: WorkflowEvent
  /** The activity type of an issue, a pull request or a release, such as `opened`; empty for other events. */
  readonly activity: string
  /** The pushed branch, or the base branch of a pull request; undefined for other events. */
  readonly branch: string | undefined
  readonly tag: string | undefined
  /** The name of the workflow of the reported run; undefined for other events. */
  readonly workflow?: string | undefined
}

/** The activity types of pull requests that trigger a workflow without `types`. */
const usualTypes: { readonly [E in WorkflowEvent]?: ReadonlyArray<string> } = {
  pull_request: ["opened", "synchronize", "reopened"],
  pull_request_target: ["opened", "synchronize", "reopened"]
}

const namedIn = (
  wanted: ReadonlyArray<string> | undefined,
  ignored: ReadonlyArray<string> | undefined,
  name: string
): boolean =>
  (wanted === undefined || isIncluded(wanted, name)) && (ignored === undefined || !isIncluded(ignored, name))

/** Returns whether a filter accepts the branch or tag: a filter with only branches excludes tags, and vice versa. */
const letsRef = (filter: EventFilter, { branch, event, tag }: TriggerEvent): boolean => {
  const [ofBranches, ofTags] = [filter.branches ?? filter["branches-ignore"], filter.tags ?? filter["tags-ignore"]]
  if (event !== "push") return branch === undefined || namedIn(filter.branches, filter["branches-ignore"], branch)
  if (branch !== undefined) {
    return ofBranches === undefined ? ofTags === undefined : namedIn(filter.branches, filter["branches-ignore"], branch)
  }
  if (tag === undefined) return false
  return ofTags === undefined ? ofBranches === undefined : namedIn(filter.tags, filter["tags-ignore"], tag)
}

/** Returns whether an event triggers a workflow, regardless of the changed files. */
export const startedBy = (workflow: Pick<Workflow, "on">, happening: TriggerEvent): boolean => {
  const filter = workflow.on[happening.event]
  if (filter === undefined) return false
  if (happening.workflow !== undefined && filter.workflows?.includes(happening.workflow) !== true) return false
  const types = filter.types ?? usualTypes[happening.event]
  return (happening.activity === "" || types?.includes(happening.activity) !== false) && letsRef(filter, happening)
}

/** Returns whether a workflow filters the event by changed files, which must then be loaded; false for tags. */
export const needsChangedFiles = (workflow: Pick<Workflow, "on">, { event, tag }: TriggerEvent): boolean => {
  const filter = workflow.on[event]
  return tag === undefined && (filter?.paths !== undefined || filter?.["paths-ignore"] !== undefined)
}

/** The maximum number of steps to match files with the patterns of one workflow. */
const mostSteps = 10_000_000

/** Returns whether a filter includes one of the changed files; if that takes too many steps, the workflow starts. */
export function* includesChangedFile(
  { on }: Pick<Workflow, "on">,
  event: WorkflowEvent,
  files: ReadonlyArray<string>
): Pieces<boolean> {
  const filter = on[event] ?? {}
  const budget: StepBudget = { left: mostSteps }
  const wanted = filter.paths === undefined ? undefined : yield* includedAmong(filter.paths, files, budget)
  const listed = filter["paths-ignore"]
  const ignored = listed === undefined ? undefined : yield* includedAmong(listed, files, budget)
  return budget.left < 0 || files.some((file) => wanted?.has(file) !== false && ignored?.has(file) !== true)
}

const skipping = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i

/**
 * Returns whether a commit message skips workflows.
 *
 * @example
 * requestsSkip("Fix a word [skip ci]") // => true
 */
export const requestsSkip = (message: string): boolean => skipping.test(message)
