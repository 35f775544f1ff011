import { issueStates, notificationStatuses } from "@slipway/domain/forge/collaboration"
import { Schema } from "effect"
import { all, edit, endpoints, list, read } from "../base/endpoints.ts"
import { Instant, Moment, QueryFlag, Repository } from "../base/schemas.ts"

/** The subject of a notification. */
export const NotificationSubject = Schema.Struct({
  title: Schema.String,
  url: Schema.String,
  html_url: Schema.String,
  latest_comment_url: Schema.String,
  latest_comment_html_url: Schema.String,
  type: Schema.Literals(["Issue", "Pull"]),
  state: Schema.Literals([...issueStates, "merged"])
}).annotate({ identifier: "NotificationSubject" })

/** A notification as returned by the API. */
export const NotificationThread = Schema.Struct({
  id: Schema.Int,
  repository: Repository,
  subject: NotificationSubject,
  unread: Schema.Boolean,
  pinned: Schema.Boolean,
  updated_at: Moment,
  url: Schema.String
}).annotate({ identifier: "NotificationThread" })

/** The number of unread notifications. */
export const NotificationCount = Schema.Struct({ new: Schema.Int }).annotate({ identifier: "NotificationCount" })

const Status = Schema.Literals(notificationStatuses)
const statuses = Schema.optionalKey(Schema.Array(Status))

const filters = {
  all: Schema.optionalKey(QueryFlag.annotate({ description: "Includes read ones." })),
  "status-types": statuses,
  "subject-type": Schema.optionalKey(Schema.Array(Schema.Literals(["issue", "pull", "commit", "repository"]))),
  since: Schema.optionalKey(Instant),
  before: Schema.optionalKey(Instant)
}

const marking = {
  query: {
    all: Schema.optionalKey(
      QueryFlag.annotate({ description: "Includes all of them, independently of their status." })
    ),
    "status-types": statuses,
    "to-status": Schema.optionalKey(Status),
    last_read_at: Schema.optionalKey(
      Instant.annotate({ description: "The time of the last seen change: later changes stay unread." })
    )
  }
}

/** The endpoints of notifications. */
export const notificationEndpoints = endpoints("notifications", "Notifications of the signed-in user.", {
  "notification.list": list(NotificationThread, { query: filters }),
  "notification.mark-read": all(NotificationThread, marking),
  "notification.count-new": read(NotificationCount),
  "notification.thread.read": read(NotificationThread),
  "notification.thread.mark-read": edit(NotificationThread, { query: { "to-status": Schema.optionalKey(Status) } }),
  "repository.notification.list": list(NotificationThread, { query: filters }),
  "repository.notification.mark-read": all(NotificationThread, marking)
})
