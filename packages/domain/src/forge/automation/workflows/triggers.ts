import { matchedAmong, nameMatcher, type Pieces } from "../../code/patterns/patterns.ts"
import type { EventFilter, Workflow } from "./Workflow.ts"
import type { WorkflowEvent } from "./WorkflowRun.ts"

/** What happened, as far as it decides which workflows it starts. */
export interface Happening {
  readonly event: WorkflowEvent
  /** What was done to an issue, a pull request or a release, such as `opened`; empty for other events. */
  readonly activity: string
  /** The branch that was pushed, or that a pull request is for; nothing for other events. */
  readonly branch: string | undefined
  readonly tag: string | undefined
  /** What the workflow is called whose run it is about; nothing for other events. */
  readonly workflow?: string | undefined
}

/** What pull requests start a workflow by that names no types. */
const usualTypes: { readonly [E in WorkflowEvent]?: ReadonlyArray<string> } = {
  pull_request: ["opened", "synchronize", "reopened"],
  pull_request_target: ["opened", "synchronize", "reopened"]
}

/** Returns a pattern in which braces are letters, as workflows have it. */
export const literal = (pattern: string): string => pattern.replaceAll(/[{}]/g, "\\$&")

const inSlashes = (pattern: string): string =>
  // `**.js` means the files of all folders.
  literal(pattern)
    .replaceAll(/\*\*(?=[^/])/g, "**/*")
    .replaceAll(/(?<=[^/*])\*\*/g, "*/**")

/**
 * Returns whether the last of some patterns that matches a name lets it: one behind `!` doesn't.
 *
 * @example
 * isAmong(["release/**", "!release/**-beta"], "release/1.0") // => true
 * isAmong(["release/**", "!release/**-beta"], "release/1.0-beta") // => false
 */
export const isAmong = (patterns: ReadonlyArray<string>, name: string): boolean =>
  patterns.reduce((isIn, pattern) => {
    const isNot = pattern.startsWith("!")
    const glob = inSlashes(isNot ? pattern.slice(1) : pattern)
    return isIn === isNot && nameMatcher(glob)(name) ? !isNot : isIn
  }, false)

const namedIn = (
  wanted: ReadonlyArray<string> | undefined,
  ignored: ReadonlyArray<string> | undefined,
  name: string
): boolean => (wanted === undefined || isAmong(wanted, name)) && (ignored === undefined || !isAmong(ignored, name))

/** Whether the branch or the tag is one that a filter lets: who names branches alone doesn't mean tags, nor the other way. */
const letsRef = (filter: EventFilter, { branch, event, tag }: Happening): boolean => {
  const [ofBranches, ofTags] = [filter.branches ?? filter["branches-ignore"], filter.tags ?? filter["tags-ignore"]]
  if (event !== "push") return branch === undefined || namedIn(filter.branches, filter["branches-ignore"], branch)
  if (branch !== undefined) {
    return ofBranches === undefined ? ofTags === undefined : namedIn(filter.branches, filter["branches-ignore"], branch)
  }
  if (tag === undefined) return false
  return ofTags === undefined ? ofBranches === undefined : namedIn(filter.tags, filter["tags-ignore"], tag)
}

/** Returns whether something that happened starts a workflow, whatever files it is about. */
export const startedBy = (workflow: Pick<Workflow, "on">, happening: Happening): boolean => {
  const filter = workflow.on[happening.event]
  if (filter === undefined) return false
  if (happening.workflow !== undefined && filter.workflows?.includes(happening.workflow) !== true) return false
  const types = filter.types ?? usualTypes[happening.event]
  return (happening.activity === "" || types?.includes(happening.activity) !== false) && letsRef(filter, happening)
}

/** Returns whether it is asked which files something is about; tags are about none. */
export const asksForFiles = (workflow: Pick<Workflow, "on">, { event, tag }: Happening): boolean => {
  const filter = workflow.on[event]
  return tag === undefined && (filter?.paths !== undefined || filter?.["paths-ignore"] !== undefined)
}

/** How many steps are taken at the most to match files with the patterns of one workflow. */
const mostSteps = 5_000_000

const stepsOf = ({ paths = [], "paths-ignore": ignored = [] }: EventFilter, files: ReadonlyArray<string>): number => {
  const stars = [...paths, ...ignored].reduce((sum, pattern) => sum + pattern.split("*").length, 0)
  return stars * files.reduce((sum, file) => sum + file.length, 0)
}

function* filesAmong(patterns: ReadonlyArray<string>, files: ReadonlyArray<string>): Pieces<ReadonlySet<string>> {
  const among = new Set<string>()
  for (const pattern of patterns) {
    const isNot = pattern.startsWith("!")
    const matched = yield* matchedAmong([inSlashes(isNot ? pattern.slice(1) : pattern)], files)
    for (const file of matched) {
      if (isNot) among.delete(file)
      else among.add(file)
    }
  }
  return among
}

/** Finds out whether one of the files that something is about is one that a workflow asks for; where that takes too long, one is. */
export function* letsFiles(
  { on }: Pick<Workflow, "on">,
  event: WorkflowEvent,
  files: ReadonlyArray<string>
): Pieces<boolean> {
  const filter = on[event] ?? {}
  if (stepsOf(filter, files) > mostSteps) return true
  const wanted = filter.paths === undefined ? undefined : yield* filesAmong(filter.paths, files)
  const ignored = filter["paths-ignore"] === undefined ? undefined : yield* filesAmong(filter["paths-ignore"], files)
  return files.some((file) => wanted?.has(file) !== false && ignored?.has(file) !== true)
}

const skipping = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i

/**
 * Returns whether a message of a commit says that it starts nothing.
 *
 * @example
 * saysSkip("Fix a word [skip ci]") // => true
 */
export const saysSkip = (message: string): boolean => skipping.test(message)
