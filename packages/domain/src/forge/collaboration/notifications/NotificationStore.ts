import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { RepositoryWithGrants } from "../../code/repositories/grants.ts"
import type { RepositoryViewer } from "../../code/repositories/visibility.ts"
import type { SeenUser, UserId } from "../../identity/users/User.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"
import type { IssueId } from "../issues/Issue.ts"
import type { Period } from "../issues/IssueStore.ts"
import type { News, NewsReason } from "./News.ts"
import type { Notification, NotificationStatus } from "./Notification.ts"

/** The receiver of a notification, and the reason. */
export interface Follower {
  readonly userId: UserId
  readonly because: NewsReason
}

/** The filter of the viewer's notifications, also by their last change; omitted fields match all. */
export interface NotificationFilter extends Period {
  readonly id?: number | undefined
  readonly statuses?: ReadonlyArray<NotificationStatus> | undefined
  readonly repositoryId?: RepositoryId | undefined
  readonly pull?: boolean | undefined
}

/** A notification with its repository, and the viewer's permissions there. */
export interface PlacedNotification extends RepositoryWithGrants {
  readonly notification: Notification
}

/**
 * Finds the receivers of events, and stores their notifications.
 *
 * Must:
 * - find who wrote, is assigned, is asked, is mentioned, subscribed or watches, each once, by number, so many behind one
 * - say of each the strongest reason
 * - leave out who wants to hear no more of it, and who stopped watching
 * - find the assignees, or those who are asked for reviews, alone where news are for these
 * - find who watches a repository, by number, so many behind one
 * - notify many users at once, each in one notification for an issue, unread again unless it is pinned
 * - list the notifications of the viewer that a filter asks for, the latest first, and count them alike
 * - list and count only notifications of what the viewer reads now, issues and pull requests by their own units
 * - mark the notifications that a filter asks for, of those that it lists, and answer which they were
 * - list who subscribed to an issue and whom the viewer sees, and count them alike
 */
export class NotificationStore extends Context.Service<
  NotificationStore,
  {
    readonly recipients: (
      news: Pick<News, "audience" | "issueId">,
      from: { readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Follower>>
    readonly watchers: (
      repository: RepositoryId,
      from: { readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<UserId>>
    readonly notify: (
      users: ReadonlyArray<UserId>,
      news: Pick<News, "issueId" | "commentId"> & { readonly repositoryId: RepositoryId; readonly at: string }
    ) => Effect.Effect<void>
    readonly list: (
      viewer: RepositoryViewer,
      filter: NotificationFilter,
      page: PageRequest
    ) => Effect.Effect<Page<PlacedNotification>>
    /** Marks at most so many, and answers their numbers. */
    readonly mark: (
      viewer: RepositoryViewer,
      filter: NotificationFilter & { readonly upTo?: string | undefined },
      status: NotificationStatus,
      limit: number
    ) => Effect.Effect<ReadonlyArray<number>>
    readonly subscribers: (viewer: Viewer, issue: IssueId, page: PageRequest) => Effect.Effect<Page<SeenUser>>
  }
>()("@slipway/domain/forge/NotificationStore") {}
