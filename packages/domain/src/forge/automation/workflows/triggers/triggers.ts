import type { Pieces } from "../../../code/patterns/patterns.ts"
import type { EventFilter, Workflow } from "../Workflow.ts"
import type { WorkflowEvent } from "../WorkflowRun.ts"
import { includedAmong, isIncluded, type StepBudget } from "./filterPatterns.ts"

/** The fields of an event that decide which workflows it triggers. */
export interface TriggerEvent {
  readonly event: WorkflowEvent
  /** The activity type of an issue, a pull request or a release, such as `opened`; empty for other events. */
  readonly activity: string
  /** The pushed branch, or the base branch of a pull request; undefined for other events. */
  readonly branch: string | undefined
  readonly tag: string | undefined
  /** The name of the workflow of the run that a `workflow_run` event reports; undefined for other events. */
  readonly workflow?: string | undefined
}

/** The activity types that trigger a workflow if its filter has no `types`, by event. */
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

/** Returns whether a filter matches the branch or tag of an event; a filter with only branches excludes all tags. */
const letsRef = (filter: EventFilter, { branch, event, tag }: TriggerEvent): boolean => {
  const [ofBranches, ofTags] = [filter.branches ?? filter["branches-ignore"], filter.tags ?? filter["tags-ignore"]]
  if (event !== "push") return branch === undefined || namedIn(filter.branches, filter["branches-ignore"], branch)
  if (branch !== undefined) {
    return ofBranches === undefined ? ofTags === undefined : namedIn(filter.branches, filter["branches-ignore"], branch)
  }
  if (tag === undefined) return false
  return ofTags === undefined ? ofBranches === undefined : namedIn(filter.tags, filter["tags-ignore"], tag)
}

/** Returns whether an event triggers a workflow; filters by changed files are not checked. */
export const startedBy = (workflow: Pick<Workflow, "on">, happening: TriggerEvent): boolean => {
  const filter = workflow.on[happening.event]
  if (filter === undefined) return false
  if (happening.workflow !== undefined && filter.workflows?.includes(happening.workflow) !== true) return false
  const types = filter.types ?? usualTypes[happening.event]
  return (happening.activity === "" || types?.includes(happening.activity) !== false) && letsRef(filter, happening)
}

/** Returns whether a workflow filters this event by changed files, so that these must be loaded; false for tags. */
export const needsChangedFiles = (workflow: Pick<Workflow, "on">, { event, tag }: TriggerEvent): boolean => {
  const filter = workflow.on[event]
  return tag === undefined && (filter?.paths !== undefined || filter?.["paths-ignore"] !== undefined)
}

/** The maximum number of steps to match changed files with the patterns of one workflow. */
const mostSteps = 10_000_000

/** Returns whether a filter includes at least one changed file; also returns true if matching takes too many steps. */
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
 * Returns whether a commit message contains a marker that skips workflows, such as `[skip ci]`.
 *
 * @example
 * requestsSkip("Fix a word [skip ci]") // => true
 */
export const requestsSkip = (message: string): boolean => skipping.test(message)
