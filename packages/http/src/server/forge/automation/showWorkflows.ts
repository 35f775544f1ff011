import type {
  PlacedJob,
  WorkConclusion,
  WorkflowJob,
  WorkflowRun,
  WorkflowStep,
  WorkStatus
} from "@slipway/domain/forge/automation"
import type { Repository } from "@slipway/domain/forge/code"
import { WorkflowRuns, type Workflows } from "@slipway/forge/automation"
import { Effect, Result } from "effect"
import { PublicUrl } from "../base/PublicUrl.ts"
import { showPersonTo } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"
import { linksOf, pathInUrl, type RepositoryLinks } from "../code/repositoryLinks.ts"

/** Maps the states of runs and jobs to their names in API responses. */
export const statuses = {
  blocked: "waiting",
  waiting: "queued",
  running: "in_progress",
  done: "completed"
} as const satisfies Record<WorkStatus, string>

/**
 * Returns the name of the branch or the tag of a ref; any other ref is returned unchanged.
 *
 * @example
 * branchOf("refs/heads/main") // => "main"
 * branchOf("refs/pull/7/head") // => "refs/pull/7/head"
 */
export const branchOf = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, "")

interface NamedWorkflow extends Pick<Workflows.WorkflowSeen, "disabled" | "file" | "path"> {
  readonly name: string
}

/** Converts a workflow to its API response; `links` are the URLs of its repository. */
export const showWorkflow = (
  links: RepositoryLinks,
  { createdAt, defaultBranch, updatedAt }: Pick<Repository, "createdAt" | "defaultBranch" | "updatedAt">,
  { disabled, file, name, path }: NamedWorkflow
) => ({
  id: file,
  name,
  path,
  state: disabled ? ("disabled_manually" as const) : ("active" as const),
  created_at: createdAt,
  updated_at: updatedAt,
  url: `${links.api}/actions/workflows/${encodeURIComponent(file)}`,
  html_url: `${links.html}/raw/branch/${pathInUrl(defaultBranch)}/${pathInUrl(path)}`,
  badge_url: `${links.html}/actions/workflows/${encodeURIComponent(file)}/badge.svg`
})

/** Returns a function that converts a workflow of a repository to its API response. */
export const showWorkflowOf = ({ repository }: { readonly repository: Repository }) =>
  Effect.map(PublicUrl, (publicUrl) => {
    const links = linksOf(publicUrl, repository)
    return ({ read, ...seen }: Workflows.WorkflowSeen) => {
      const workflow = Result.isSuccess(read) ? read.success.workflow : undefined
      const shown = showWorkflow(links, repository, { ...seen, name: workflow?.name || seen.file })
      const isStartable = workflow?.on.workflow_dispatch !== undefined
      const inputs = Object.entries(workflow?.inputs ?? {}).map(([name, input]) => ({ name, ...input }))
      return { ...shown, dispatch_inputs: isStartable ? inputs : null }
    }
  })

interface Progress {
  readonly status: WorkStatus
  readonly conclusion: WorkConclusion | null
  readonly startedAt: string | null
  readonly stoppedAt: string | null
}

const showProgress = ({ conclusion, startedAt, status, stoppedAt }: Progress) => ({
  status: statuses[status],
  conclusion,
  started_at: startedAt,
  completed_at: stoppedAt
})

/** Returns the URL of a run's web page. */
const runPage = ({ html }: RepositoryLinks, id: number): string => `${html}/actions/runs/${id}`

/** Returns the API response with id and URLs of the run that a dispatch started. */
export const showRunDetails = (links: RepositoryLinks, { id }: Pick<WorkflowRun, "id">) => {
  const url = `${links.api}/actions/runs/${id}`
  return { workflow_run_id: id, run_url: url, html_url: runPage(links, id) }
}

/** Converts a run to its API response; `actor` and `repository` are already converted. */
export const showRun = <Person, Place>(links: RepositoryLinks, run: WorkflowRun, actor: Person, repository: Place) => {
  const url = `${links.api}/actions/runs/${run.id}`
  return {
    id: run.id,
    url,
    html_url: runPage(links, run.id),
    display_title: run.title,
    path: `${run.path}@${run.ref}`,
    event: run.event,
    run_number: run.number,
    run_attempt: run.attempt,
    ...showProgress(run),
    need_approval: run.needsApproval && run.status !== "done",
    head_branch: branchOf(run.ref),
    head_sha: run.commit,
    created_at: run.createdAt,
    actor,
    trigger_actor: actor,
    repository_id: run.repositoryId,
    repository,
    head_repository: repository
  }
}

/** Converts runs to API responses for the actor; reads users and repositories of all runs in one query each. */
export const showRunsTo = Effect.fnUntraced(function* (
  acting: WorkflowRuns.RunsShownTo,
  rows: ReadonlyArray<WorkflowRun>
) {
  const publicUrl = yield* PublicUrl
  const { people, repositories } = yield* WorkflowRuns.details(acting, rows)
  const { ghost, show } = yield* showPersonTo(acting)
  const shown = yield* showRepositoriesTo({ actor: acting.actor }, [...repositories.values()])
  const repositoryById = new Map(shown.map((repository) => [repository.id, repository]))
  return rows.flatMap((run) => {
    const held = repositories.get(run.repositoryId)
    const repository = repositoryById.get(run.repositoryId)
    // A repository deleted meanwhile has no runs.
    if (held === undefined || repository === undefined) return []
    const person = run.actorId === null ? undefined : people.get(run.actorId)
    const actor = person === undefined ? ghost() : show(person)
    return [showRun(linksOf(publicUrl, held.repository), run, actor, repository)]
  })
})

const showStep = (step: WorkflowStep, at: number) => ({ name: step.name, number: at + 1, ...showProgress(step) })

/** Converts a job of a run to its API response. */
export const showJob = (links: RepositoryLinks, { job, run }: PlacedJob) => {
  const base = `${links.api}/actions`
  const url = `${base}/jobs/${job.id}`
  return {
    id: job.id,
    url,
    html_url: `${runPage(links, job.runId)}/jobs/${job.id}`,
    run_id: job.runId,
    run_url: `${base}/runs/${job.runId}`,
    run_attempt: job.attempt,
    name: job.name,
    labels: job.runsOn,
    head_branch: branchOf(run.ref),
    head_sha: run.commit,
    ...showProgress(job),
    created_at: job.createdAt,
    runner_id: job.runnerId ?? 0,
    runner_name: job.runnerName,
    steps: job.steps.map(showStep)
  }
}

/** Converts jobs to API responses for the actor. */
export const showJobsTo = Effect.fnUntraced(function* (
  acting: WorkflowRuns.RunsShownTo,
  rows: ReadonlyArray<PlacedJob>
) {
  const publicUrl = yield* PublicUrl
  const repositories = yield* WorkflowRuns.repositoriesOf(
    acting,
    rows.map(({ job }) => job)
  )
  return rows.flatMap((placed) => {
    const held = repositories.get(placed.job.repositoryId)
    return held === undefined ? [] : [showJob(linksOf(publicUrl, held.repository), placed)]
  })
})

const stateOf = ({ conclusion, status }: WorkflowJob): WorkConclusion | "running" =>
  status === "done" ? (conclusion ?? "cancelled") : "running"

/** Converts jobs that runners have taken to API responses, with fields of their runs. */
export const showTasksTo = Effect.fnUntraced(function* (
  acting: Parameters<typeof showJobsTo>[0],
  rows: ReadonlyArray<PlacedJob>
) {
  const jobs = yield* showJobsTo(acting, rows)
  const urls = new Map(jobs.map(({ id, url }) => [id, url]))
  return rows.map(({ job, run }) => ({
    id: job.id,
    name: job.name,
    head_branch: branchOf(run.ref),
    head_sha: run.commit,
    run_number: run.number,
    event: run.event,
    display_title: run.title,
    status: stateOf(job),
    workflow_id: run.workflow,
    url: urls.get(job.id) ?? "",
    created_at: job.createdAt,
    updated_at: job.stoppedAt ?? job.aliveAt ?? job.startedAt ?? job.createdAt,
    run_started_at: run.startedAt
  }))
})
