import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { RepositoryWithGrants } from "../../code/repositories/grants.ts"
import type { RepositoryViewer } from "../../code/repositories/visibility.ts"
import type { SeenUser, UserId } from "../../identity/users/User.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"
import type { IssueId } from "../issues/Issue.ts"
import type { Period } from "../issues/IssueStore.ts"
import type { Notification, NotificationStatus } from "./Notification.ts"
import type { NotificationReason, NotifiedEvent } from "./NotificationEvent.ts"

/** A user to notify of an event, with the reason for the notification. */
export interface Follower {
  readonly userId: UserId
  readonly because: NotificationReason
}

/**
 * The filter of the viewer's notifications. `Period` limits the time of their last change; omitted fields match all.
 */
export interface NotificationFilter extends Period {
  readonly id?: number | undefined
  readonly statuses?: ReadonlyArray<NotificationStatus> | undefined
  readonly repositoryId?: RepositoryId | undefined
  readonly pull?: boolean | undefined
}

/** A notification with the repository of its issue, and the viewer's permissions on that repository. */
export interface PlacedNotification extends RepositoryWithGrants {
  readonly notification: Notification
}

/**
 * Finds the receivers of events, and stores their notifications.
 *
 * Must:
 * - find each author, assignee, reviewer, mentioned user, subscriber and watcher once, in pages by id
 * - return the strongest reason for each recipient
 * - omit users who unsubscribed or stopped watching
 * - find only assignees or requested reviewers for notifications addressed to them
 * - find the watchers of a repository, in pages by id
 * - notify many users in one call, with one unread notification per issue, unless it is pinned
 * - list the viewer's notifications that match a filter, latest first, with the matching total
 * - list and count only notifications that the viewer can read now, issues and pull requests by separate units
 * - mark the listed notifications that match a filter, and return their ids
 * - list the visible subscribers of an issue, with the matching total
 */
export class NotificationStore extends Context.Service<
  NotificationStore,
  {
    readonly recipients: (
      event: Pick<NotifiedEvent, "audience" | "issueId">,
      from: { readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Follower>>
    readonly watchers: (
      repository: RepositoryId,
      from: { readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<UserId>>
    readonly notify: (
      users: ReadonlyArray<UserId>,
      event: Pick<NotifiedEvent, "issueId" | "commentId"> & { readonly repositoryId: RepositoryId; readonly at: string }
    ) => Effect.Effect<void>
    readonly list: (
      viewer: RepositoryViewer,
      filter: NotificationFilter,
      page: PageRequest
    ) => Effect.Effect<Page<PlacedNotification>>
    /** Sets the status of at most `limit` notifications that match a filter, and returns their ids. */
    readonly mark: (
      viewer: RepositoryViewer,
      filter: NotificationFilter & { readonly upTo?: string | undefined },
      status: NotificationStatus,
      limit: number
    ) => Effect.Effect<ReadonlyArray<number>>
    readonly subscribers: (viewer: Viewer, issue: IssueId, page: PageRequest) => Effect.Effect<Page<SeenUser>>
  }
>()("@slipway/domain/forge/NotificationStore") {}
