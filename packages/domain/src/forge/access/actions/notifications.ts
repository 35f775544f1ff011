import { area } from "../Action.ts"

const notifications = area({
  on: "site",
  base: "/notifications",
  scope: ["notification"],
  guards: ["sign-in", "reject-public-only"],
  signInFirst: true
})
const repository = area({
  on: "repository",
  base: "/repos/{username}/{reponame}/notifications",
  scope: ["notification"],
  guards: ["repo-visible", "sign-in", "reject-public-only"]
})

/** The actions on notifications, each with its route and its guards. */
export const notificationActions = {
  "notification.list": notifications("GET", "List the caller's notifications"),
  "notification.mark-read": notifications("PUT", "Mark the caller's notifications as read"),
  "notification.count-new": notifications("GET /new", "Count the caller's unread notifications"),
  "notification.thread.read": notifications("GET /threads/{id}", "Read a notification"),
  "notification.thread.mark-read": notifications("PATCH /threads/{id}", "Mark a notification as read"),
  "repository.notification.list": repository("GET", "List the caller's notifications of a repository"),
  "repository.notification.mark-read": repository("PUT", "Mark the caller's notifications of a repository as read")
} as const
