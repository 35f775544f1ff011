import { Context, type Effect } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

/** The periods for which the activity of a repository can be summarized: the number of days before now. */
export const activityPeriods = {
  daily: 1,
  halfweekly: 3,
  weekly: 7,
  monthly: 30,
  quarterly: 90,
  semiyearly: 180,
  yearly: 365
} as const
export type ActivityPeriod = keyof typeof activityPeriods

/** The numbers of issues, pull requests and releases of a repository that changed their state since a time. */
export interface ActivityCounts {
  readonly issuesOpened: number
  readonly issuesClosed: number
  readonly pullsOpened: number
  readonly pullsMerged: number
  /** The number of pull requests that were closed without a merge. */
  readonly pullsClosed: number
  readonly releases: number
}

/**
 * Counts the activity in repositories.
 *
 * Must:
 * - count the issues and pull requests of a repository that were opened, closed and merged since a time
 * - count the releases of a repository that were published since a time
 */
export class ActivityStore extends Context.Service<
  ActivityStore,
  {
    /** Counts the activity in a repository since a time, in ISO 8601 with milliseconds, UTC. */
    readonly countsOf: (repository: RepositoryId, since: string) => Effect.Effect<ActivityCounts>
  }
>()("@slipway/domain/forge/ActivityStore") {}
