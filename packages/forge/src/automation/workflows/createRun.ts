import { now, Transaction } from "@slipway/domain"
import type { StartFailures as Failures, Trigger } from "@slipway/domain/forge/automation"
import {
  contextInput,
  cutText,
  githubContext,
  includesChangedFile,
  interpolate,
  longestWorkflow,
  makeBudget,
  mostByRun,
  mostWorkflows,
  needsChangedFiles,
  type PlainRecord,
  startedBy,
  type Workflow,
  type WorkflowRun,
  workflowJobs,
  workflowRuns,
  workflowSources,
  workflowSwitches
} from "@slipway/domain/forge/automation"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import { GitReader, inTurns, RepositoryStore } from "@slipway/domain/forge/code"
import type { Person } from "@slipway/domain/forge/identity"
import { HookPayloads } from "@slipway/domain/forge/integrations"
import { Effect, Result } from "effect"
import { commitNamed } from "../../code/git/revisions.ts"
import * as ActionVariables from "../actionVariables/ActionVariables.ts"
import { advanceRun } from "./advanceRun.ts"
import { calledAt, type WorkflowFile, workflowsAt } from "./files.ts"
import { storedGroup } from "./groups.ts"
import { newJob } from "./jobRows.ts"
import { recordJobStatuses } from "./jobStatuses.ts"
import { type Grouped, type PlannedJob, plannedRun } from "./planRun.ts"
import { queueProgressHooks } from "./queueProgressHooks.ts"
import { enterGroup } from "./settleTurns.ts"

/** A trigger of workflows, with its ref and commit. */
export interface ResolvedTrigger extends Trigger {
  readonly ref: string
  readonly commit: ObjectId
}

/** The origin of a run: its cause and the user who caused it. */
export interface Origin {
  /** A unique key of the cause, so that a workflow starts only once for it. */
  readonly cause: string
  readonly actor: Person | null
  /** The inputs of a manually started workflow. */
  readonly inputs: PlainRecord
  /** Whether a run of a pull request from a fork needs no approval. */
  readonly known: boolean
}

const longestTitle = 255
/** The maximum number of changed files that are compared with path filters; a larger change starts all workflows. */
const mostFiles = 3_000

/**
 * Returns whether a repository runs workflows: not if it is archived, empty or a mirror, or if its actions unit is
 * disabled.
 */
export const runsWorkflows = ({ archived, empty, mirror, units }: Repository): boolean =>
  units["repo.actions"] && !archived && !empty && !mirror

/** Finds the ref and the commit of a trigger. Without a ref, they are those of the default branch. */
export const resolveTrigger = Effect.fnUntraced(function* (repository: Repository, trigger: Trigger) {
  const { commit, ref } = trigger
  if (commit !== undefined && ref !== undefined) return { ...trigger, commit, ref } satisfies ResolvedTrigger
  const usual = `refs/heads/${repository.defaultBranch}`
  const named = (name: string) =>
    Effect.map(commitNamed(repository, name), (found) => ({ ...trigger, commit: found.commit, ref: name }))
  const atHome = Effect.catchTag(named(usual), "RevisionNotFound", () => Effect.undefined)
  return yield* ref === undefined ? atHome : Effect.catchTag(named(ref), "RevisionNotFound", () => atHome)
})

const changedFiles = Effect.fnUntraced(function* (repository: Repository, { files }: Trigger) {
  if (files === undefined) return undefined
  const changes = yield* (yield* GitReader).changes(repository.id, files)
  if (changes.length > mostFiles) return undefined
  return [...new Set(changes.flatMap(({ after, before }) => [before?.path ?? [], after?.path ?? []].flat()))]
})

/** Returns whether a trigger starts a workflow, according to the workflow's filters and the changed files. */
const isStarted = Effect.fnUntraced(function* (
  workflow: Workflow,
  trigger: Trigger,
  changed: ReturnType<typeof changedFiles>
) {
  if (!startedBy(workflow, trigger)) return false
  if (!needsChangedFiles(workflow, trigger)) return true
  const files = yield* changed
  return files === undefined || (yield* inTurns(() => includesChangedFile(workflow, trigger.event, files)))
})

/** The content of a run before it is stored. */
interface PlannedRun extends Grouped {
  readonly title: string
  readonly jobs: ReadonlyArray<PlannedJob>
}

/** The number and the id that a run gets when it is stored. */
type Numbers = Pick<WorkflowRun, "number"> & { readonly id: number }

interface Plan {
  readonly name: string
  readonly written: string
  /** The reusable workflows that the workflow calls, as JSON. */
  readonly called: string
  readonly of: (numbers: Numbers) => Result.Result<PlannedRun, string>
}

const titleOf = (trigger: Trigger, runName: string | undefined, name: string): string =>
  [runName?.trim() ?? "", trigger.title, name].find((text) => text !== "") ?? ""

const planOf = Effect.fnUntraced(function* (
  repository: Repository,
  { file, path, read }: WorkflowFile,
  trigger: ResolvedTrigger,
  { actor, inputs }: Origin
) {
  const written = Result.isSuccess(read) ? JSON.stringify(read.success.written) : ""
  const failed = (problem: string): Plan => ({ name: file, written: "", called: "{}", of: () => Result.fail(problem) })
  if (Result.isFailure(read)) return failed(read.failure)
  if (written.length > longestWorkflow) return failed("YAML aliases expand to too many nodes")
  const { workflow } = read.success
  const called = yield* calledAt(repository.id, trigger.workflowsAt ?? trigger.commit, workflow)
  if (Result.isFailure(called)) return failed(called.failure)
  const calledWritten = JSON.stringify(
    Object.fromEntries([...called.success].map(([path, { written: said }]) => [path, said]))
  )
  if (calledWritten.length > longestWorkflow) return failed("the called workflows are too long together")
  const name = workflow.name === "" ? file : workflow.name
  const { rootUrl } = yield* SiteSettings
  const input = contextInput(repository, rootUrl, actor?.name ?? "", name, trigger.payload)
  const vars = yield* ActionVariables.ofJobs(repository)
  const of = (numbers: Numbers) => {
    const github = githubContext({ ...trigger, ...numbers, attempt: 1, path }, input)
    const contexts = { github, inputs, vars, budget: makeBudget() }
    const runName = workflow.runName && interpolate(workflow.runName, { ...contexts, matrix: {} })
    return Result.map(plannedRun(workflow, contexts, called.success), (planned) => ({
      ...planned,
      title: titleOf(trigger, runName, name)
    }))
  }
  return { name, written, called: calledWritten, of } satisfies Plan
})

const insertJobs = Effect.fnUntraced(function* (run: WorkflowRun, jobs: ReadonlyArray<PlannedJob>) {
  return yield* (yield* workflowJobs.store)
    .insertMany(jobs.map((job) => newJob(run, job, run.attempt, run.createdAt)))
    .pipe(Effect.orDie)
})

/** Stores a run with its jobs in the current transaction; undefined if a run with the same cause exists. */
const inserted = Effect.fnUntraced(function* (
  repository: Repository,
  { file, path }: WorkflowFile,
  trigger: ResolvedTrigger,
  { actor, cause, known }: Origin,
  { called, name, of, written }: Plan
) {
  const at = yield* now
  const planned = of({ id: 0, number: 0 })
  const failed = Result.isFailure(planned)
  const text = failed ? `${file}: ${planned.failure}` : planned.success.title
  const run = yield* (yield* Transaction)
    .attempt(
      (yield* workflowRuns.store).insert({
        repositoryId: repository.id,
        ownerId: repository.owner.id,
        name: cutText(name, longestTitle),
        workflow: file,
        path,
        title: cutText(text, longestTitle),
        event: trigger.event,
        ref: trigger.ref,
        commit: trigger.commit,
        actorId: actor?.id ?? null,
        trusted: trigger.trusted,
        needsApproval: !trigger.trusted && !known,
        approverId: null,
        depth: trigger.depth ?? 0,
        group: null,
        cancels: false,
        status: failed ? "done" : "blocked",
        conclusion: failed ? "failure" : null,
        attempt: 1,
        createdAt: at,
        startedAt: failed ? at : null,
        stoppedAt: failed ? at : null,
        cause: `${cause}/${trigger.event}/${file}`
      })
    )
    .pipe(
      Effect.catchTag("Duplicate", () => Effect.undefined),
      Effect.catchTag("Missing", Effect.die)
    )
  if (run === undefined) return undefined
  if (failed) {
    yield* recordJobStatuses(repository, run, [{ name: "workflow file", conclusion: "failure" }])
    yield* queueProgressHooks(repository, undefined, run, [])
    return run
  }
  const source = {
    repositoryId: repository.id,
    runId: run.id,
    workflow: written,
    called,
    payload: JSON.stringify(trigger.payload)
  }
  yield* Effect.orDie((yield* workflowSources.store).insert(source))
  // Titles and groups may contain the run's numbers.
  const { jobs, title, ...group } = Result.getOrElse(of(run), () => planned.success)
  const change = { title: cutText(title, longestTitle), ...storedGroup(group, trigger) }
  const begun =
    (yield* Effect.orDie((yield* workflowRuns.store).patch({ repositoryId: repository.id }, run.id, change))) ?? run
  const grouped = jobs.map((job) => ({ ...job, ...storedGroup(job, trigger) }))
  const insertedJobs = yield* insertJobs(begun, grouped)
  yield* recordJobStatuses(repository, begun, insertedJobs)
  // A run that waits for approval does not block its group.
  if (!begun.needsApproval) yield* enterGroup(begun)
  return yield* advanceRun(repository, begun, { jobs: insertedJobs, begun: true })
})

/** Starts a workflow, and returns its run; undefined if a run with the same cause exists. */
export const startOne = Effect.fnUntraced(function* (
  repository: Repository,
  file: WorkflowFile,
  trigger: ResolvedTrigger,
  origin: Origin
) {
  const plan = yield* planOf(repository, file, trigger, origin)
  return yield* (yield* Transaction).run(
    Effect.gen(function* () {
      // The repository may have been transferred or deleted meanwhile.
      const present = yield* (yield* RepositoryStore).lock(repository.id)
      return present === undefined ? undefined : yield* inserted(present, file, trigger, origin, plan)
    })
  )
})

/** Returns the file names of the disabled workflows of a repository. */
export const disabledIn = Effect.fnUntraced(function* ({ id }: Pick<Repository, "id">) {
  const { rows } = yield* (yield* workflowSwitches.store).list({ repositoryId: id }, { limit: 1_000 })
  return new Set(rows.map(({ workflow }) => workflow))
})

const broken: ReadonlySet<string> = new Set(["push", "pull_request"])

/** Starts the workflows that match a trigger; a failure of one does not stop the others. */
export const startBy = Effect.fnUntraced(function* (
  repository: Repository,
  trigger: Trigger,
  origin: Origin,
  failures: Failures
) {
  const at = yield* resolveTrigger(repository, trigger)
  if (at === undefined) return
  const disabled = yield* disabledIn(repository)
  // Git is queried once for all workflows.
  const files = yield* Effect.cached(changedFiles(repository, trigger))
  let left = trigger.event === "workflow_run" ? mostByRun : mostWorkflows
  for (const file of yield* workflowsAt(repository.id, at.workflowsAt ?? at.commit)) {
    if (disabled.has(file.file) || left === 0) continue
    const { read } = file
    const started = Effect.gen(function* () {
      const starts = Result.isFailure(read)
        ? broken.has(trigger.event)
        : yield* isStarted(read.success.workflow, trigger, files)
      if (!starts) return
      left--
      yield* startOne(repository, file, at, origin)
    })
    yield* failures.without(started)
  }
})

/** Returns the parts of webhook payloads that all events have: the repository and the sender. */
export const partsOf = Effect.fnUntraced(function* (repository: Repository, actor: Person | null) {
  const parts = yield* (yield* HookPayloads).parts(repository, actor)
  return JSON.parse(JSON.stringify(parts)) as PlainRecord
})
