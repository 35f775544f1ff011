import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../Page.ts"
import type { ActionName } from "../access/actions.ts"
import type { Unit } from "../access/facts/Unit.ts"
import type { RepositoryId } from "../base/names/repositoryId.ts"
import type { Repository } from "../code/repositories/Repository.ts"
import type { RepositoryViewer } from "../code/repositories/visibility.ts"
import type { Event, EventAction, NewEvent, Person } from "../identity/audit/Event.ts"
import type { OrganizationId } from "../identity/organizations/Organization.ts"
import type { Team } from "../identity/teams/Team.ts"
import type { UserId } from "../identity/users/User.ts"
import type { NewsToTell } from "./EventNews.ts"

/** The filter of the event log; omitted fields match all. */
export interface AuditFilter {
  readonly organization?: OrganizationId | undefined
  /** The name of the actor at that time, ignoring case: the impersonated user or the one who signed in. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** From this moment on, in ISO 8601 with milliseconds, UTC, as events have it. */
  readonly since?: string | undefined
  /** Before this moment, in ISO 8601. */
  readonly until?: string | undefined
}

/** The filter of activities. */
export interface FeedFilter {
  readonly of:
    | { readonly organization: OrganizationId }
    | { readonly team: Pick<Team, "id" | "organizationId"> }
    | { readonly user: UserId }
    | { readonly repository: RepositoryId }
  /** Whether activities in private repositories are included for viewers who may see these. */
  readonly privateToo: boolean
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Something that happened in a repository which is there and seen. */
export interface Activity {
  readonly event: Event
  readonly repository: Repository
  /** The actor, if the account exists and is visible. */
  readonly person: Person | undefined
}

/** A quarter of an hour in which something happened. */
export interface ActiveTime {
  readonly seconds: number
  readonly count: number
}

/** The actions that feeds show, each with the unit that a viewer must be able to read. */
export const feedActions = {
  "account.repository.create": undefined,
  "admin.user.repository.create": undefined,
  "organization.repository.create": undefined,
  "organization.repository.create-deprecated": undefined,
  "repository.edit": undefined,
  "git.push": "repo.code"
} as const satisfies { readonly [A in ActionName]?: Unit | undefined }

/** An action that feeds show. */
export type FeedAction = keyof typeof feedActions

/** Returns whether feeds show an action. */
export const isFeedAction = (action: EventAction): action is FeedAction => Object.hasOwn(feedActions, action)

/**
 * Stores events: an event is immutable, and is removed only when it exceeds the operator's retention.
 *
 * It is written in the same transaction as the change that it reports. The audit log and the feeds are two views of it.
 *
 * Must:
 * - give back an event as it was added
 * - keep with an event what webhooks are told of it
 * - forget an event with the transaction that added it
 * - note a refusal once for each person, action and thing in a minute
 * - list the log, newest first, and count it
 * - list the log of one organization alone
 * - filter the log by who, what and when
 * - keep events of what is gone
 * - forget the oldest events before a moment, no more than asked for, and tell how many
 * - list activities in repositories that the viewer sees now, newest first, and count them alike
 * - list the activities of an organization, of a team, of a user or of a repository, and private ones only when asked to
 * - tell of an organization and of a team what happened while the organization had the repository
 * - tell of pushes to those who read the code
 * - name who did it only to those who see them
 * - count activities as the feed lists them, by the quarter of an hour, the earliest first
 */
export class EventStore extends Context.Service<
  EventStore,
  {
    readonly append: (event: NewEvent, news?: NewsToTell) => Effect.Effect<void>
    /** Adds a refusal, unless that minute already has one of the same person, action and resource. */
    readonly refuse: (event: NewEvent) => Effect.Effect<void>
    /** Removes the oldest events before a moment, up to a limit; only for the retention task. */
    readonly forget: (before: string, most: number) => Effect.Effect<number>
    readonly audit: (filter: AuditFilter, page: PageRequest) => Effect.Effect<Page<Event>>
    /** Counts by the beginning of each quarter of an hour that has any, in seconds since 1970. */
    readonly activeTimes: (viewer: RepositoryViewer, filter: FeedFilter) => Effect.Effect<ReadonlyArray<ActiveTime>>
    readonly feed: (viewer: RepositoryViewer, filter: FeedFilter, page: PageRequest) => Effect.Effect<Page<Activity>>
  }
>()("@slipway/domain/forge/EventStore") {}
