import { cursorOf, type PageRequest } from "@slipway/domain"
import {
  hasState,
  jobsInAttempt,
  mostAttempts,
  mostJobs,
  type RunFilter,
  runInAttempt,
  type StateFilter,
  WorkflowJobNotFound,
  type WorkflowLog,
  type WorkflowRun,
  WorkflowRunNotFound,
  type WorkflowScope,
  WorkflowSearch,
  workflowJobs,
  workflowLogs,
  workflowRuns
} from "@slipway/domain/forge/automation"
import type { RepositoryId } from "@slipway/domain/forge/base"
import type { RepositoryWithGrants } from "@slipway/domain/forge/code"
import { RepositoryStore, viewerOn } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import { UserStore } from "@slipway/domain/forge/identity"
import { Effect, Option, Stream } from "effect"
import { peopleOf } from "../../collaboration/issues/views.ts"

/** The filters of a list of workflow runs. `actor` is the name of the user who started the run. */
export interface RunSearch extends Omit<RunFilter, "actorId"> {
  readonly actor?: string | undefined
}

const nothing = { rows: [], total: 0 } as const

/** Finds a run of a repository by id. */
export const runOf = Effect.fnUntraced(function* (repositoryId: RepositoryId, id: number) {
  return (yield* (yield* workflowRuns.store).find({ repositoryId }, id)) ?? (yield* new WorkflowRunNotFound({ id }))
})

/** Finds a job of a repository with its run. */
const jobOf = Effect.fnUntraced(function* (repositoryId: RepositoryId, id: number) {
  const job = yield* (yield* workflowJobs.store).find({ repositoryId }, id)
  if (job === undefined) return yield* new WorkflowJobNotFound({ id })
  const run = yield* Effect.mapError(runOf(repositoryId, job.runId), () => new WorkflowJobNotFound({ id }))
  return { job, run }
})

const searched = Effect.fnUntraced(function* (
  scope: WorkflowScope,
  { actor, ...filter }: RunSearch,
  page: PageRequest
) {
  const search = yield* WorkflowSearch
  if (actor === undefined) return yield* search.runs(scope, filter, page)
  const named = yield* (yield* UserStore).named(actor)
  return named === undefined ? nothing : yield* search.runs(scope, { ...filter, actorId: named.user.id }, page)
})

/** Lists the runs of a repository, newest first. */
export const list = (
  { resource: { repository } }: Proof<"repository.actions.run.list">,
  search: RunSearch,
  page: PageRequest
) => searched({ repositoryId: repository.id }, search, page)

/** Lists the runs of a workflow, newest first. */
export const listOfWorkflow = (
  { resource: { repository } }: Proof<"repository.actions.workflow.run.list">,
  workflow: string,
  search: RunSearch,
  page: PageRequest
) => searched({ repositoryId: repository.id }, { ...search, workflow }, page)

/**
 * Lists the runs in the repositories of the actor. Repositories are omitted if the actor may not read their actions
 * unit.
 */
export const listOwn = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"account.actions.run.list">,
  search: RunSearch,
  page: PageRequest
) {
  return yield* searched({ viewer: yield* viewerOn(actor), ownerId: actor.userId }, search, page)
})

/**
 * Lists the runs in the repositories of an organization. Repositories are omitted if the caller may not read their
 * actions unit (invariant I10).
 */
export const listOfOrganization = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.actions.run.list">,
  search: RunSearch,
  page: PageRequest
) {
  return yield* searched({ viewer: yield* viewerOn(actor), ownerId: organization.id }, search, page)
})

/**
 * Lists the runs in all repositories of the site. Repositories are omitted if the actor may not read their actions unit
 * (invariant I10).
 */
export const listAll = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"admin.actions.run.list">,
  search: RunSearch,
  page: PageRequest
) {
  return yield* searched({ viewer: yield* viewerOn(actor) }, search, page)
})

/** Reads a workflow run. */
export const read = ({ resource: { repository } }: Proof<"repository.actions.run.read">, id: number) =>
  runOf(repository.id, id)

/** Finds a run that has an attempt with the given number. */
const attempted = Effect.fnUntraced(function* (repositoryId: RepositoryId, id: number, attempt: number) {
  const run = yield* runOf(repositoryId, id)
  return attempt >= 1 && attempt <= run.attempt ? run : yield* new WorkflowRunNotFound({ id })
})

/** Returns the jobs of a run as they were in an attempt. */
const jobsThen = Effect.fnUntraced(function* (run: WorkflowRun, attempt: number) {
  const upTo = { filter: { attempt: { before: attempt + 1 } } }
  const { rows } = yield* (yield* workflowJobs.store).list({ runId: run.id }, { limit: mostJobs * mostAttempts }, upTo)
  return jobsInAttempt(rows)
})

/** Reads a run as it was in an earlier attempt. */
export const readAttempt = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.run.attempt.read">,
  id: number,
  attempt: number
) {
  const run = yield* attempted(repository.id, id, attempt)
  return attempt === run.attempt ? run : runInAttempt(run, attempt, yield* jobsThen(run, attempt))
})

/** Lists the jobs of a repository, newest first. */
export const jobs = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.job.list">,
  state: StateFilter | undefined,
  page: PageRequest
) {
  return yield* (yield* WorkflowSearch).jobs({ repositoryId: repository.id }, { state }, page)
})

const jobsNow = Effect.fnUntraced(function* (
  { id: runId, repositoryId }: WorkflowRun,
  state: StateFilter | undefined,
  page: PageRequest
) {
  return yield* (yield* WorkflowSearch).jobs({ repositoryId }, { state, runId, latest: true }, page)
})

/** Lists the jobs of the current attempt of a run, in the order of their creation. */
export const jobsOfRun = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.run.job.list">,
  id: number,
  state: StateFilter | undefined,
  page: PageRequest
) {
  return yield* jobsNow(yield* runOf(repository.id, id), state, page)
})

/** Lists the jobs of an attempt of a run. Jobs of an earlier attempt are in the order of the workflow file. */
export const jobsOfAttempt = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.run.attempt.job.list">,
  id: number,
  attempt: number,
  state: StateFilter | undefined,
  request: PageRequest
) {
  const run = yield* attempted(repository.id, id, attempt)
  if (attempt === run.attempt) return yield* jobsNow(run, state, request)
  const { page, perPage } = request
  const found = (yield* jobsThen(run, attempt))
    .filter((job) => hasState(state, job))
    .toSorted((one, other) => one.slot - other.slot)
  const rows = found.slice((page - 1) * perPage, page * perPage).map((job) => ({ job, run }))
  return { rows, total: found.length }
})

/**
 * Lists the jobs in the repositories of the actor. Repositories are omitted if the actor may not read their actions
 * unit.
 */
export const ownJobs = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"account.actions.job.list">,
  state: StateFilter | undefined,
  page: PageRequest
) {
  const viewer = yield* viewerOn(actor)
  return yield* (yield* WorkflowSearch).jobs({ viewer, ownerId: actor.userId }, { state }, page)
})

/**
 * Lists the jobs in the repositories of an organization. Repositories are omitted if the caller may not read their
 * actions unit (invariant I10).
 */
export const jobsOfOrganization = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.actions.job.list">,
  state: StateFilter | undefined,
  page: PageRequest
) {
  const viewer = yield* viewerOn(actor)
  return yield* (yield* WorkflowSearch).jobs({ viewer, ownerId: organization.id }, { state }, page)
})

/**
 * Lists the jobs in all repositories of the site. Repositories are omitted if the actor may not read their actions unit
 * (invariant I10).
 */
export const allJobs = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"admin.actions.job.list">,
  state: StateFilter | undefined,
  page: PageRequest
) {
  return yield* (yield* WorkflowSearch).jobs({ viewer: yield* viewerOn(actor) }, { state }, page)
})

/** Reads a job of a workflow, with its workflow run. */
export const readJob = ({ resource: { repository } }: Proof<"repository.actions.job.read">, id: number) =>
  jobOf(repository.id, id)

/** Lists the jobs that were sent to runners, newest first. */
export const tasks = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.task.list">,
  page: PageRequest
) {
  const state: StateFilter = { statuses: ["running"], conclusions: ["success", "failure", "cancelled"] }
  return yield* (yield* WorkflowSearch).jobs({ repositoryId: repository.id }, { state, givenOut: true }, page)
})

/** The number of log chunks that are read with one query. */
const logPieces = 16

/** Returns the text of a log chunk from the given line number on. Lines of the log are counted from 0. */
const textFrom = ({ lines, start, text }: WorkflowLog, line: number): string => {
  if (start >= line) return text
  return start + lines <= line
    ? ""
    : text
        .split("\n")
        .slice(line - start)
        .join("\n")
}

/** Streams the log of a job in chunks, from line `from` on; the first line is 1. */
export const log = Effect.fnUntraced(function* (
  { resource: { repository } }: Proof<"repository.actions.job.logs">,
  id: number,
  from = 1
) {
  const { job } = yield* jobOf(repository.id, id)
  const store = yield* workflowLogs.store
  const line = Math.max(0, from - 1)
  if (line > 0 && line >= job.logLines) return { job, text: Stream.empty }
  // A reader who follows a running job continues where a chunk begins, so earlier chunks are not read.
  const first = line === 0 ? undefined : yield* store.findBy("start", { jobId: job.id, start: line })
  const rest = Stream.paginate(first && cursorOf(workflowLogs, "start", { ...first }), (after) =>
    Effect.map(
      store.list({ jobId: job.id }, { after, limit: logPieces }),
      ({ next, rows }) =>
        [rows.map((piece) => textFrom(piece, line)), next === undefined ? Option.none() : Option.some(next)] as const
    )
  )
  return { job, text: first === undefined ? rest : Stream.concat(Stream.make(first.text), rest) }
})

/**
 * The actor that receives the runs. If the request is about one repository, also this repository and the actor's
 * permissions on it.
 */
export interface RunsShownTo {
  readonly actor: Actor
  readonly grants?: RepositoryWithGrants["grants"] | undefined
  readonly repository?: RepositoryWithGrants["repository"] | undefined
}

/** Reads the data that responses show with runs: the users who started them, and their repositories. */
export const details = Effect.fnUntraced(function* (acting: RunsShownTo, rows: ReadonlyArray<WorkflowRun>) {
  const people = yield* peopleOf(
    acting.actor,
    rows.flatMap(({ actorId }) => actorId ?? [])
  )
  return { people, repositories: yield* repositoriesOf(acting, rows) }
})

/** Returns the repositories of runs or jobs by id, with the actor's permissions on them. */
export const repositoriesOf = Effect.fnUntraced(function* (
  { actor, grants, repository }: RunsShownTo,
  rows: ReadonlyArray<{ readonly repositoryId: RepositoryId }>
) {
  if (repository !== undefined && grants !== undefined) {
    return new Map([[repository.id, { grants, repository }]]) as ReadonlyMap<RepositoryId, RepositoryWithGrants>
  }
  const ids = [...new Set(rows.map(({ repositoryId }) => repositoryId))]
  if (ids.length === 0) return new Map() as ReadonlyMap<RepositoryId, RepositoryWithGrants>
  return yield* (yield* RepositoryStore).heldOn(actor.userId, ids)
})
