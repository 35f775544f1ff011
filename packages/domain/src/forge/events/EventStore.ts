import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../Page.ts"
import type { RepositoryId } from "../base/names/repositoryId.ts"
import type { Repository } from "../code/repositories/Repository.ts"
import type { RepositoryViewer } from "../code/repositories/visibility.ts"
import type { Event, NewEvent, Person } from "../identity/audit/Event.ts"
import type { OrganizationId } from "../identity/organizations/Organization.ts"
import type { Team } from "../identity/teams/Team.ts"
import type { UserId } from "../identity/users/User.ts"
import type { HookEventData } from "./QueuedHookEvent.ts"

/** The filter of the audit log; omitted fields match all events. */
export interface AuditFilter {
  readonly organization?: OrganizationId | undefined
  /**
   * The name of the actor at the time of the event, ignoring case. It matches the user who signed in and the
   * impersonated user.
   */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** The earliest time of the events, in ISO 8601 with milliseconds, UTC. */
  readonly since?: string | undefined
  /** The time before which the events happened, in ISO 8601. */
  readonly until?: string | undefined
}

/** The source of activities: an organization, a team or a repository, or the user who performed them. */
export type ActivitySource =
  | { readonly organization: OrganizationId }
  | { readonly team: Pick<Team, "id" | "organizationId"> }
  | { readonly user: UserId }
  | { readonly repository: RepositoryId }

/**
 * Selects the activity feed of a user: the user's own activities, and all activities in repositories that the user
 * watches.
 */
export interface ActivityReceiver {
  readonly receiver: UserId
}

/** The filter of an activity feed: the source of the activities, and the time range. */
export interface FeedFilter<Of = ActivitySource | ActivityReceiver> {
  readonly of: Of
  /** Whether to include activities in private repositories, if the viewer can see these repositories. */
  readonly privateToo: boolean
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** An event in an activity feed, with its repository, which exists and is visible to the viewer. */
export interface Activity {
  readonly event: Event
  readonly repository: Repository
  /** The user who performed the activity; undefined if the account is removed or hidden from the viewer. */
  readonly person: Person | undefined
}

/** A period of 15 minutes with events: its start in seconds since 1970 (Unix time), and the number of events. */
export interface ActiveTime {
  readonly seconds: number
  readonly count: number
}

/**
 * Stores events. An event is never changed, and is removed only after the retention period of the operator.
 *
 * It is inserted in the transaction of the change that it reports. The audit log and the activity feeds both show these
 * events.
 *
 * Must:
 * - return an event as added
 * - store the webhook payload of an event with it
 * - discard an event when the transaction that added it rolls back
 * - store at most one refusal per actor, action and resource in a minute
 * - list the audit log, newest first, and count it
 * - list only the audit log of the given organization
 * - filter the audit log by actor, action and time
 * - keep events of removed resources
 * - return the id of the newest event, and zero without events
 * - delete the oldest events before a given time, up to a limit, and return their number
 * - list activities in repositories that the viewer sees now, newest first, with the matching total
 * - list the activities of an organization, team, user or repository, with private ones only on request
 * - list on request also the activities of other users in the repositories that a user watches
 * - list for an organization or a team only activities from the time when the organization owned the repository
 * - list pushes only for viewers who can read the code
 * - list activities of issues, pull requests and releases that exist, only to readers of their unit
 * - return the actor only to viewers who can see the account
 * - count the listed activities per quarter of an hour, earliest first
 */
export class EventStore extends Context.Service<
  EventStore,
  {
    readonly append: (event: NewEvent, hookData?: HookEventData) => Effect.Effect<void>
    /**
     * Adds the event of a refused action, unless there is an equal event (actor, action and resource) in the same
     * minute.
     */
    readonly refuse: (event: NewEvent) => Effect.Effect<void>
    /** Removes the oldest events before a given time, at most `most`. Only the retention task may call it. */
    readonly forget: (before: string, most: number) => Effect.Effect<number>
    /** The id of the newest event; an event that is added later has a larger id. */
    readonly newest: Effect.Effect<number>
    readonly audit: (filter: AuditFilter, page: PageRequest) => Effect.Effect<Page<Event>>
    /**
     * Counts events per period of 15 minutes. Each period has its start in seconds since 1970; periods without events
     * are omitted.
     */
    readonly activeTimes: (
      viewer: RepositoryViewer,
      filter: FeedFilter<ActivitySource>
    ) => Effect.Effect<ReadonlyArray<ActiveTime>>
    readonly feed: (viewer: RepositoryViewer, filter: FeedFilter, page: PageRequest) => Effect.Effect<Page<Activity>>
  }
>()("@slipway/domain/forge/EventStore") {}
