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

/** Notifications: each action with its route and the guards of its row. */
export const notificationActions = {
  "notification.list": notifications("GET"),
  "notification.mark-read": notifications("PUT"),
  "notification.count-new": notifications("GET /new"),
  "notification.thread.read": notifications("GET /threads/{id}"),
  "notification.thread.mark-read": notifications("PATCH /threads/{id}"),
  "repository.notification.list": repository("GET"),
  "repository.notification.mark-read": repository("PUT")
} as const
