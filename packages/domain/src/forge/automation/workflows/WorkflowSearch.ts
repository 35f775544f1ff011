import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { RepositoryViewer } from "../../code/repositories/visibility.ts"
import type { OwnerId } from "../../identity/organizations/Organization.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { WorkflowJob } from "./WorkflowJob.ts"
import type { WorkConclusion, WorkflowRun, WorkStatus } from "./WorkflowRun.ts"

/**
 * The repositories in which to search for runs and jobs: one repository, or all repositories (optionally of one owner)
 * in which the viewer may read the actions unit.
 */
export type WorkflowScope =
  | { readonly repositoryId: RepositoryId }
  | { readonly viewer: RepositoryViewer; readonly ownerId?: OwnerId | undefined }

/** The filter by state: a run or job matches if it has one of these statuses or conclusions. */
export interface StateFilter {
  readonly statuses: ReadonlyArray<WorkStatus>
  readonly conclusions: ReadonlyArray<WorkConclusion>
  /** Whether runs that wait for approval are included. */
  readonly unapproved?: true | undefined
}

/** Returns whether a run or a job matches a state filter; an undefined filter matches all. */
export const hasState = (
  state: StateFilter | undefined,
  {
    conclusion,
    needsApproval = false,
    status
  }: Pick<WorkflowRun, "conclusion" | "status"> & Partial<Pick<WorkflowRun, "needsApproval">>
): boolean =>
  state === undefined ||
  (state.unapproved === true && needsApproval && status === "blocked") ||
  state.statuses.includes(status) ||
  (conclusion !== null && state.conclusions.includes(conclusion))

/** The filter of workflow runs; omitted fields match all. */
export interface RunFilter {
  readonly workflow?: string | undefined
  readonly event?: string | undefined
  readonly ref?: string | undefined
  readonly commit?: string | undefined
  readonly actorId?: UserId | undefined
  readonly state?: StateFilter | undefined
}

/** The filter of workflow jobs; omitted fields match all. */
export interface JobFilter {
  readonly runId?: number | undefined
  /** Whether only jobs of the latest attempt (true) or only earlier ones (false) match. */
  readonly latest?: boolean | undefined
  /** If true, only jobs that runners execute match, and no jobs that call a reusable workflow. */
  readonly givenOut?: true | undefined
  readonly state?: StateFilter | undefined
}

/** A job with its run. */
export interface PlacedJob {
  readonly job: WorkflowJob
  readonly run: WorkflowRun
}

/**
 * Lists the runs of workflows and their jobs.
 *
 * Must:
 * - list the runs of a repository, newest first, without gaps or repeats between pages
 * - list the runs that match a filter, with the matching total
 * - list the jobs of a repository with their runs, newest first, and filtered
 * - list the jobs of a run in the order of their creation
 * - list only runs and jobs of repositories with actions that the viewer can read, with the matching total
 * - list only runs and jobs of an owner's repositories, also after a transfer
 */
export class WorkflowSearch extends Context.Service<
  WorkflowSearch,
  {
    readonly runs: (scope: WorkflowScope, filter: RunFilter, page: PageRequest) => Effect.Effect<Page<WorkflowRun>>
    readonly jobs: (scope: WorkflowScope, filter: JobFilter, page: PageRequest) => Effect.Effect<Page<PlacedJob>>
    /** Stores the new owner of a transferred repository in the repository's runs and jobs. */
    readonly follow: (repository: RepositoryId, owner: OwnerId) => Effect.Effect<void>
  }
>()("@slipway/domain/forge/WorkflowSearch") {}
