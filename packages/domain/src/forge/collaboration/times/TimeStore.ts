import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { IssueId } from "../issues/Issue.ts"
import type { IssueScope, Period } from "../issues/IssueStore.ts"
import type { TrackedTime } from "../issues/TrackedTime.ts"

/** The filter of tracked times. `Period` limits the time of the work; omitted fields match all. */
export interface TimeFilter extends Period {
  readonly issueId?: IssueId | undefined
  readonly userId?: UserId | undefined
}

/**
 * Lists tracked times.
 *
 * Must:
 * - list the tracked times of issues and pull requests that match a filter, with the matching total
 * - list only times that the viewer can read now, issues and pull requests by separate units, with the matching total
 */
export class TimeStore extends Context.Service<
  TimeStore,
  {
    /** Lists tracked times in the order of their insertion. */
    readonly list: (scope: IssueScope, filter: TimeFilter, page: PageRequest) => Effect.Effect<Page<TrackedTime>>
  }
>()("@slipway/domain/forge/TimeStore") {}
