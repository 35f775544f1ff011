import { type NotificationStatus, notificationStatuses } from "@slipway/domain/forge/collaboration"
import { numberIn } from "@slipway/domain/forge/entry"
import { Notifications } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { isYes } from "../../../api/forge/base/schemas.ts"
import { notificationEndpoints } from "../../../api/forge/collaboration/notifications.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { period, readOptionalTime } from "../base/queries.ts"
import type { ViewerResource } from "../base/show.ts"
import { showRepositoriesTo } from "../base/showRepositories.ts"
import { handle, shown } from "../entry/handle.ts"

type Flag = "true" | "false" | "1" | "0"

interface Filters {
  readonly all?: Flag
  readonly "status-types"?: ReadonlyArray<NotificationStatus>
  readonly "subject-type"?: ReadonlyArray<"issue" | "pull" | "commit" | "repository">
  readonly since?: string
  readonly before?: string
}

const queryOf = (query: Filters): Notifications.NotificationQuery => {
  const usual = isYes(query.all) ? notificationStatuses : (["unread", "pinned"] as const)
  const types = query["subject-type"] ?? ["issue", "pull"]
  const [issues, pulls] = [types.includes("issue"), types.includes("pull")]
  return {
    // Notifications are never about commits and repositories themselves.
    statuses: issues || pulls ? (query["status-types"] ?? usual) : [],
    pull: issues && pulls ? undefined : pulls,
    ...period(query)
  }
}

interface Marks {
  readonly all?: Flag
  readonly "status-types"?: ReadonlyArray<NotificationStatus>
  readonly "to-status"?: NotificationStatus
  readonly last_read_at?: string
}

const markingOf = (query: Marks): Notifications.Marking => ({
  statuses: isYes(query.all) ? notificationStatuses : (query["status-types"] ?? ["unread"]),
  to: query["to-status"] ?? "read",
  lastReadAt: readOptionalTime(query.last_read_at)
})

/** Converts notifications to API responses for the actor; reads their repositories in one query. */
const showNotificationsTo = Effect.fnUntraced(function* (
  acting: ViewerResource,
  rows: ReadonlyArray<Notifications.NotificationView>
) {
  const { rootUrl } = yield* PublicUrl
  const held = new Map(rows.map(({ grants, repository }) => [repository.id, { grants, repository }]))
  const repositories = new Map((yield* showRepositoriesTo(acting, [...held.values()])).map((each) => [each.id, each]))
  return rows.flatMap(({ about, merged, notification }) => {
    const repository = repositories.get(notification.repositoryId)
    if (repository === undefined) return []
    const { issue } = about
    const path = `${encodeURIComponent(about.repository.owner)}/${encodeURIComponent(about.repository.name)}`
    const api = `${rootUrl}/api/v1/repos/${path}/issues`
    const page = `${rootUrl}/${path}/${issue.pull ? "pulls" : "issues"}/${issue.number}`
    const { commentId } = notification
    return [
      {
        id: notification.id,
        repository,
        subject: {
          title: issue.title,
          url: `${api}/${issue.number}`,
          html_url: page,
          latest_comment_url: commentId === null ? "" : `${api}/comments/${commentId}`,
          latest_comment_html_url: commentId === null ? "" : `${page}#issuecomment-${commentId}`,
          type: issue.pull ? ("Pull" as const) : ("Issue" as const),
          state: merged ? ("merged" as const) : issue.state
        },
        unread: notification.status !== "read",
        pinned: notification.status === "pinned",
        updated_at: notification.updatedAt,
        url: `${rootUrl}/api/v1/notifications/threads/${notification.id}`
      }
    ]
  })
})

/** The handlers of notifications. */
export const layerNotifications = handle(
  notificationEndpoints,
  {
    "notification.list": ({ page, proof, query }) => Notifications.list(proof, queryOf(query), page),
    "notification.mark-read": ({ page, proof, query }) => Notifications.mark(proof, markingOf(query), page),
    "notification.count-new": ({ proof }) =>
      Effect.map(Notifications.countNew(proof), (count) => shown({ new: count })),
    "notification.thread.read": ({ params, proof }) => Notifications.read(proof, numberIn(params.id)),
    "notification.thread.mark-read": ({ params, proof, query }) =>
      Notifications.markOne(proof, numberIn(params.id), query["to-status"] ?? "read"),
    "repository.notification.list": ({ page, proof, query }) => Notifications.ofRepository(proof, queryOf(query), page),
    "repository.notification.mark-read": ({ page, proof, query }) =>
      Notifications.markInRepository(proof, markingOf(query), page)
  },
  { showAllTo: showNotificationsTo }
)
