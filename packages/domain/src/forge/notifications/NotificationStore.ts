import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../Page.ts"
import type { SeenUser, UserId } from "../accounts/User.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import type { CommentId, IssueId } from "../issues/Issue.ts"
import type { Period } from "../issues/IssueStore.ts"
import type { RepositoryWithGrants } from "../repositories/grants.ts"
import type { RepositoryId } from "../repositories/Repository.ts"
import type { RepositoryViewer } from "../repositories/visibility.ts"
import type { Notification, NotificationStatus } from "./Notification.ts"

/** Whom news of an issue are for: everybody who follows it, or those alone who are to see to it. */
export type Audience = "followers" | "assignees"

/** Something that happened to an issue or a pull request. */
export interface News {
  readonly issueId: IssueId
  readonly commentId: CommentId | null
  readonly audience: Audience
}

/** Which notifications of the viewer are asked for, by when they last changed too; what is left out says nothing. */
export interface NotificationFilter extends Period {
  readonly id?: number | undefined
  readonly statuses?: ReadonlyArray<NotificationStatus> | undefined
  readonly repositoryId?: RepositoryId | undefined
  readonly pull?: boolean | undefined
}

/** A notification with the repository that it is about, and what the viewer holds there. */
export interface PlacedNotification extends RepositoryWithGrants {
  readonly notification: Notification
}

/**
 * Finds whom news are for, and keeps the notifications of them.
 *
 * Must:
 * - find who wrote, is assigned, is mentioned, subscribed or watches, each once, by number, so many behind one
 * - leave out who did it, who wants to hear no more of it, and who stopped watching
 * - find the assignees alone where news are for these
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
      news: News,
      from: { readonly actor: UserId | null; readonly after: number; readonly limit: number }
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
