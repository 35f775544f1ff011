import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { Attachment } from "../../code/attachments/Attachment.ts"
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

/** The scope of a search in one repository: its issues, its pull requests, or both. */
export interface RepositoryScope {
  readonly repositoryId: RepositoryId
  readonly issues: boolean
  readonly pulls: boolean
}

/** A time range in ISO 8601: from `since` (inclusive) to `before` (exclusive). */
export interface Period {
  readonly since?: string | undefined
  readonly before?: string | undefined
}

/** The owners of the labels that a repository's issues can have: the repository, and its organization or null. */
export interface LabelHome {
  readonly repositoryId: RepositoryId
  readonly organizationId: OrganizationId | null
}

/** A comment with its issue or pull request. */
export interface PlacedComment {
  readonly comment: Comment
  readonly issue: Pick<Issue, "number" | "pull">
}

/** The scope of a search for issues and pull requests: one repository, or all that a viewer can read. */
export type IssueScope = RepositoryScope | { readonly viewer: RepositoryViewer }

/** The filter of issues and pull requests; `since` and `before` limit the last change. Omitted fields match all. */
export interface IssueFilter extends Period {
  readonly pull?: boolean | undefined
  readonly state?: IssueState | undefined
  /** Only issues with these words in the title or the body (full-text search). */
  readonly text?: string | undefined
  /** Only issues with at least one of these label names. */
  readonly labels?: ReadonlyArray<string> | undefined
  /** Only issues with all of these label names. */
  readonly allLabels?: ReadonlyArray<string> | undefined
  /** Only issues with none of these label names. */
  readonly withoutLabels?: ReadonlyArray<string> | undefined
  /** Only issues with one of these milestones, by title or id. */
  readonly milestones?: ReadonlyArray<string> | undefined
  readonly authorId?: UserId | undefined
  readonly assigneeId?: UserId | undefined
  readonly mentionedId?: UserId | undefined
  /** Only pull requests that this user has reviewed. */
  readonly reviewerId?: UserId | undefined
  /** Only pull requests with a review request for this user, personally or through a team. */
  readonly askedId?: UserId | undefined
  readonly ownerId?: OwnerId | undefined
  /** The issues of this repository are listed first. */
  readonly first?: RepositoryId | undefined
  /** Only issues of repositories to which this team has access. */
  readonly teamId?: TeamId | undefined
  readonly pinned?: boolean | undefined
  readonly ids?: ReadonlyArray<IssueId> | undefined
  /** Only issues that block this issue. */
  readonly neededBy?: IssueId | undefined
  /** Only issues that this issue blocks. */
  readonly waitingFor?: IssueId | undefined
}

/** The sort orders of lists of issues and pull requests. */
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

/** The id, the owner name and the name of a repository. */
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

/** A milestone with separate counts of issues and pull requests, because a viewer may be able to read only one type. */
export interface CountedMilestone extends Milestone {
  readonly issuesOpen: number
  readonly issuesClosed: number
  readonly pullsOpen: number
  readonly pullsClosed: number
}

/** The related data of an issue or a pull request, such as labels, assignees and milestone. */
export interface IssueDetails {
  /** The labels, sorted by name. */
  readonly labels: ReadonlyArray<Label>
  readonly assigneeIds: ReadonlyArray<UserId>
  readonly milestone: CountedMilestone | undefined
  readonly comments: number
  /** The merge state of a pull request; undefined for an issue. */
  readonly merge: { readonly merged: boolean; readonly mergedAt: string | null } | undefined
  /** The original issue, if this one was copied from another host (migration); otherwise undefined. */
  readonly origin: Origin | undefined
}

/** The details of an issue with its attachments. */
export interface DetailsWithAssets extends IssueDetails {
  readonly assets: ReadonlyArray<Attachment>
}

/** A reference to an issue in a text, such as `owner/name#1`: owner, repository name and issue number. */
export interface NamedIssue {
  readonly owner: string
  readonly name: string
  readonly index: number
}

/** One entry of an issue's timeline: a comment, or an event with its related resources that still exist. */
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
    readonly details: (ids: ReadonlyArray<IssueId>) => Effect.Effect<ReadonlyMap<IssueId, DetailsWithAssets>>
    readonly named: (
      viewer: RepositoryViewer,
      names: ReadonlyArray<NamedIssue>
    ) => Effect.Effect<ReadonlyArray<PlacedIssue>>
    /** Finds users by name, ignoring case; the keys of the result are the given names. */
    readonly usersNamed: (names: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, UserId>>
    /**
     * Returns which of the given users wrote a pull request that a user merged. Pull requests that were found merged in
     * the base branch, or copied from another host, are not counted.
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
    /** Pins the given issues (or pull requests) of a repository in the given order, and unpins all others. */
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
