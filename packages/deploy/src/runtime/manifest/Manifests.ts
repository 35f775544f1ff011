import { InvalidInput, type Problems } from "@slipway/domain"
import type { Application } from "@slipway/domain/deploy/apps"
import { ConnectedForges, GitHostFailed, isWholeCommit } from "@slipway/domain/deploy/apps"
import { type Authorized, authorize, type Caller } from "@slipway/domain/deploy/entry"
import {
  checkManifest,
  longestManifest,
  type ManifestChange,
  type ManifestContent,
  type ManifestFacts,
  type ManifestProblem,
  ManifestReader,
  manifestFile,
  planManifest,
  withLines
} from "@slipway/domain/deploy/runtime"
import { Effect, Result } from "effect"
import { type Linked, linkOf } from "../../apps/forge-links/link.ts"
import { callForge } from "../../infrastructure/forge-apps/ForgeConnections.ts"
import { type Applying, applyChange } from "./apply.ts"
import { factsFor } from "./facts.ts"

/** The plan of a manifest (`slipway.yaml`): its changes in order, and the problems that prevent all of them. */
export interface LocatedPlan {
  readonly changes: ReadonlyArray<ManifestChange>
  readonly problems: ReadonlyArray<ManifestProblem>
}

interface Planned extends LocatedPlan {
  readonly content: Pick<ManifestContent, "lines">
}

const refused = (line: number, field: string, problem: string): Planned => ({
  content: { lines: new Map() },
  changes: [],
  problems: [{ line, field, problem }]
})

/** Computes the changes that a manifest text would make. Changes nothing. */
export const planText = Effect.fnUntraced(function* (
  application: Application,
  linked: Linked,
  text: string,
  flags: Pick<ManifestFacts, "isSensitive" | "prune">
) {
  if (text.length > longestManifest) {
    return refused(1, manifestFile, `Must have at most ${longestManifest} characters.`)
  }
  const read = yield* Effect.result((yield* ManifestReader).read(text))
  if (Result.isFailure(read)) {
    const { because, line } = read.failure
    return refused(line, manifestFile, `This is not valid YAML: ${because}.`)
  }
  const content = read.success
  const checked = checkManifest(content)
  if (Result.isFailure(checked)) return { content, changes: [], problems: checked.failure } satisfies Planned
  const { changes, problems } = planManifest(checked.success, yield* factsFor(application, linked, flags))
  return { content, changes, problems: withLines(content, problems) } satisfies Planned
})

/** Returns the path of the manifest field that a change comes from. */
const fieldOf = (change: ManifestChange): string => {
  switch (change._tag) {
    case "CreateEnvironment":
      return `environments.${change.environment}`
    case "CreateDatabase":
    case "ChangeImage":
    case "DeleteDatabase":
      return `databases.${change.name}`
    case "CreateApplication":
    case "DeleteApplication":
      return `applications.${change.name}`
    case "ChangeApplication": {
      const renamed = change.fields.find(({ field }) => field === "name")
      return `applications.${renamed?.after ?? change.name}`
    }
    case "SetVariables":
    case "DeleteVariable":
      return `applications.${change.application}.variables`
  }
}

const sentencesOf = (problems: Problems): string =>
  Object.entries(problems)
    .flatMap(([field, each]) => each.map((sentence) => `${field}: ${sentence}`))
    .join(" ")

/** Returns the reason why a change failed, and how the user can continue. */
const reasonOf = (error: { readonly _tag: string }): string => {
  const { because, conflicts, problems } = error as {
    readonly because?: string
    readonly problems?: Problems
    readonly conflicts?: ReadonlyArray<{ readonly domain?: string }>
  }
  if (problems !== undefined) return sentencesOf(problems)
  if (conflicts !== undefined) return "A domain belongs to another resource: choose another one."
  return because ?? `The change failed (${error._tag}): deploy again.`
}

/**
 * Applies the changes of a plan in order, each in its own transaction. Returns the problem of the first change that
 * fails. Earlier changes stay, and the next deployment continues the plan.
 */
export const applyPlan = Effect.fnUntraced(function* (applying: Applying, { changes, content }: Planned) {
  for (const change of changes) {
    const result = yield* Effect.result(applyChange(applying, change))
    if (Result.isFailure(result)) {
      return withLines(content, [{ field: fieldOf(change), problem: reasonOf(result.failure) }])
    }
  }
  return []
})

/** Reads the manifest file of an application at a commit or branch; its text is undefined if there is no manifest. */
const readAt = Effect.fnUntraced(function* (application: Application, ref: string | undefined) {
  const linked = yield* linkOf(application)
  if (linked === undefined) {
    const sentence = `Only an application from a repository of a connected forge has a \`${manifestFile}\`.`
    return yield* new InvalidInput({ problems: { git_repository: [sentence] } })
  }
  const { forge, link } = linked
  const at = ref ?? application.configuration.git_branch ?? ""
  const forges = yield* ConnectedForges
  const text = yield* callForge(forge, (access) => forges.file(access, link, at, manifestFile)).pipe(
    Effect.catchTag("ForgeTokenRejected", ({ because }) => new GitHostFailed({ because }))
  )
  return { at, linked, text }
})

const nothing: LocatedPlan = { changes: [], problems: [] }

const shown = ({ changes, problems }: Planned): LocatedPlan => ({ changes, problems })

/** Returns whether a caller may see the values of an application's variables. */
const isSensitive = (caller: Caller, application: Application) =>
  Effect.isSuccess(authorize(caller, "application.secrets", { application }))

/**
 * Computes what the manifest of an application at a commit or branch would change. Changes nothing.
 *
 * For a caller that may not see the values of variables, all declared variables count as changed.
 */
export const plan = Effect.fnUntraced(function* (
  { resource: { application, caller } }: Authorized<"application.plan">,
  ref: string | undefined,
  prune: boolean
) {
  const { linked, text } = yield* readAt(application, ref)
  if (text === undefined) return nothing
  const flags = { isSensitive: yield* isSensitive(caller, application), prune }
  return shown(yield* planText(application, linked, text, flags))
})

/**
 * Applies the manifest of an application at a commit or branch with the caller's permissions. Returns the plan.
 *
 * Changes nothing if the manifest has a problem. Fails if the plan needs a deployment that the caller may not request.
 * If the caller may not see the values of variables, it sets all declared variables, so that the plan does not disclose
 * which values differ.
 */
export const apply = Effect.fnUntraced(function* (
  { resource: { application, caller } }: Authorized<"application.apply">,
  ref: string | undefined,
  prune: boolean
) {
  const { at, linked, text } = yield* readAt(application, ref)
  if (text === undefined) return nothing
  const flags = { isSensitive: yield* isSensitive(caller, application), prune }
  const planned = yield* planText(application, linked, text, flags)
  if (planned.problems.length > 0) return shown(planned)
  const changes = (...tags: ReadonlyArray<ManifestChange["_tag"]>) =>
    planned.changes.some(({ _tag }) => tags.includes(_tag))
  // Only deployments of applications wait for an approval.
  if (changes("ChangeImage", "CreateDatabase")) yield* authorize(caller, "application.deploy", { application })
  if (changes("CreateApplication")) yield* authorize(caller, "application.deploy.request", { application })
  const commit = isWholeCommit(at) ? at : "HEAD"
  const problems = yield* applyPlan({ caller, application, linked, commit }, planned)
  return { changes: planned.changes, problems } satisfies LocatedPlan
})
