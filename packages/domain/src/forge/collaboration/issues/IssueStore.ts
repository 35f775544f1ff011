import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { Label } from "../../code/labels/Label.ts"
import type { RepositoryViewer } from "../../code/repositories/visibility.ts"
import type { OrganizationId, OwnerId } from "../../identity/organizations/Organization.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { Milestone } from "../milestones/Milestone.ts"
import type { Comment, Issue, IssueId, IssueState } from "./Issue.ts"
import type { Origin } from "./Origin.ts"
import type { TimelineEvent } from "./TimelineEvent.ts"
import type { TrackedTime } from "./TrackedTime.ts"

/** A repository, and whether its issues, its pull requests or both are selected. */
export interface RepositoryScope {
  readonly repositoryId: RepositoryId
  readonly issues: boolean
  readonly pulls: boolean
}

/** A half-open time range. */
export interface Period {
  readonly since?: string | undefined
  readonly before?: string | undefined
}

/** A repository, and the organization with labels that its issues may also use. */
export interface LabelHome {
  readonly repositoryId: RepositoryId
  readonly organizationId: OrganizationId | null
}

/** A comment with its issue or pull request. */
export interface PlacedComment {
  readonly comment: Comment
  readonly issue: Pick<Issue, "number" | "pull">
}

/** The searched issues and pull requests: those of a repository, or all that a viewer can read. */
export type IssueScope = RepositoryScope | { readonly viewer: RepositoryViewer }

/** The filter of issues and pull requests; the period is that of their last change. Omitted fields match all. */
export interface IssueFilter extends Period {
  readonly pull?: boolean | undefined
  readonly state?: IssueState | undefined
  /** Words in the title or the text, as in a search engine. */
  readonly text?: string | undefined
  /** Names of labels, at least one of which it has. */
  readonly labels?: ReadonlyArray<string> | undefined
  /** Names of labels, all of which it has. */
  readonly allLabels?: ReadonlyArray<string> | undefined
  /** Names of labels, none of which it has. */
  readonly withoutLabels?: ReadonlyArray<string> | undefined
  /** Titles or ids of milestones, one of which it has. */
  readonly milestones?: ReadonlyArray<string> | undefined
  readonly authorId?: UserId | undefined
  readonly assigneeId?: UserId | undefined
  readonly mentionedId?: UserId | undefined
  /** The user who has reviewed it. */
  readonly reviewerId?: UserId | undefined
  /** The user with a review request, personally or through a team. */
  readonly askedId?: UserId | undefined
  readonly ownerId?: OwnerId | undefined
  /** The repository of the issues that are listed first. */
  readonly first?: RepositoryId | undefined
  /** The repositories that a team has access to. */
  readonly teamId?: TeamId | undefined
  readonly pinned?: boolean | undefined
  readonly ids?: ReadonlyArray<IssueId> | undefined
  /** The issues that block this one. */
  readonly neededBy?: IssueId | undefined
  /** The issues that this one blocks. */
  readonly waitingFor?: IssueId | undefined
}

/** The orders of issue and pull request lists. */
export const issueOrders = [
  "newest",
  "oldest",
  "recentupdate",
  "leastupdate",
  "mostcomment",
  "leastcomment",
  "nearduedate",
  "farduedate",
  "pinned"
] as const
export type IssueOrder = (typeof issueOrders)[number]

/** A repository, by its names. */
export interface RepositoryRef {
  readonly id: RepositoryId
  readonly owner: string
  readonly name: string
}

/** An issue or a pull request with its repository. */
export interface PlacedIssue {
  readonly issue: Issue
  readonly repository: RepositoryRef
}

/** A milestone with separate counts of issues and pull requests, which have different units. */
export interface CountedMilestone extends Milestone {
  readonly issuesOpen: number
  readonly issuesClosed: number
  readonly pullsOpen: number
  readonly pullsClosed: number
}

/** The resources attached to an issue or a pull request. */
export interface IssueDetails {
  /** Ordered by name. */
  readonly labels: ReadonlyArray<Label>
  readonly assigneeIds: ReadonlyArray<UserId>
  readonly milestone: CountedMilestone | undefined
  readonly comments: number
  /** The pull request's state; undefined for an issue. */
  readonly merge: { readonly merged: boolean; readonly mergedAt: string | null } | undefined
  /** Its source, if it was copied from another host. */
  readonly origin: Origin | undefined
}

/** An issue that a text mentions. */
export interface NamedIssue {
  readonly owner: string
  readonly name: string
  readonly index: number
}

/** One entry of a timeline: a comment or another event, with its existing related resources. */
export type TimelineEntry =
  | { readonly kind: "comment"; readonly comment: Comment }
  | {
      readonly kind: "event"
      readonly event: TimelineEvent
      readonly label: Label | undefined
      readonly milestone: CountedMilestone | undefined
      readonly oldMilestone: CountedMilestone | undefined
      readonly otherComment: Comment | undefined
      readonly trackedTime: TrackedTime | undefined
    }

/**
 * Searches issues and pull requests, and reads their details.
 *
 * Must:
 * - find the issues and pull requests of a repository that match a filter, in each order, and count them
 * - find only issues and pull requests that the viewer can read, by separate units, with the matching total
 * - find issues by the words of their current titles and texts
 * - read the details of many issues in one call
 * - find the issues that a text mentions, if the viewer can read them
 * - find users by their names, ignoring case
 * - return which of the given users wrote a pull request that a user merged
 * - find the labels available to the issues of a repository, by id or name
 * - list the comments of a repository by change time, issues and pull requests separately
 * - order the given pinned issues, and unpin all others
 * - list comments and events in chronological order, without those from sources hidden from the viewer
 * - close or reopen many issues in one call, except for blocked ones, and return the changed ones
 * - report whether an issue depends on another, directly or through others
 * - report whether an issue depends on an open one
 * - serialize decisions about dependencies until the transaction ends
 */
export class IssueStore extends Context.Service<
  IssueStore,
  {
    readonly search: (
      scope: IssueScope,
      filter: IssueFilter,
      order: IssueOrder,
      page: PageRequest
    ) => Effect.Effect<Page<PlacedIssue>>
    readonly details: (ids: ReadonlyArray<IssueId>) => Effect.Effect<ReadonlyMap<IssueId, IssueDetails>>
    readonly named: (
      viewer: RepositoryViewer,
      names: ReadonlyArray<NamedIssue>
    ) => Effect.Effect<ReadonlyArray<PlacedIssue>>
    /** The result is keyed by the given names. */
    readonly usersNamed: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, UserId>>
    /**
     * Excludes pull requests without a merge by a user: those found merged in the base, and those copied from
     * elsewhere.
     */
    readonly mergedAuthors: (
      repository: RepositoryId,
      users: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlySet<UserId>>
    readonly labels: (
      repository: LabelHome,
      which: { readonly ids: ReadonlyArray<number>; readonly names: ReadonlyArray<string> }
    ) => Effect.Effect<ReadonlyArray<Label>>
    /** Lists comments in the order of their creation. */
    readonly comments: (scope: RepositoryScope, when: Period, page: PageRequest) => Effect.Effect<Page<PlacedComment>>
    /** Pins the issues, or the pull requests, of a repository in the given order. */
    readonly arrangePins: (repository: RepositoryId, pull: boolean, ids: ReadonlyArray<IssueId>) => Effect.Effect<void>
    readonly timeline: (
      viewer: RepositoryViewer,
      id: IssueId,
      when: Period,
      page: PageRequest
    ) => Effect.Effect<Page<TimelineEntry>>
    readonly setState: (
      ids: ReadonlyArray<IssueId>,
      state: IssueState,
      at: string
    ) => Effect.Effect<ReadonlyArray<IssueId>>
    readonly waitsFor: (id: IssueId, other: IssueId) => Effect.Effect<boolean>
    readonly isWaiting: (id: IssueId) => Effect.Effect<boolean>
    readonly lockDependencies: Effect.Effect<void>
  }
>()("@slipway/domain/forge/IssueStore") {}
