import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryViewer } from "../../code/repositories/visibility.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { MilestoneState } from "../milestones/Milestone.ts"
import type { CountedMilestone, RepositoryRef } from "./IssueStore.ts"

/** A milestone with its repository, and whether the viewer can read the repository's issues and pull requests. */
export interface PlacedMilestone {
  readonly milestone: CountedMilestone
  readonly repository: RepositoryRef
  readonly reads: { readonly issues: boolean; readonly pulls: boolean }
}

/**
 * Lists the milestones of several repositories.
 *
 * Must:
 * - list the milestones of the repositories that a user owns or was granted, by due date, with the matching total
 * - list only milestones of repositories in which the viewer can read issues or pull requests, with the readable units
 */
export class MilestoneStore extends Context.Service<
  MilestoneStore,
  {
    /** Lists milestones by due date, then by id; milestones without a due date come last. */
    readonly reached: (
      viewer: RepositoryViewer,
      reachedBy: UserId,
      filter: { readonly state?: MilestoneState | undefined },
      page: PageRequest
    ) => Effect.Effect<Page<PlacedMilestone>>
  }
>()("@slipway/domain/forge/MilestoneStore") {}
