import { area } from "../Action.ts"

const organizations = area({
  on: "user",
  base: "/users/{username}/orgs",
  scope: ["organization"],
  guards: ["user-visible"]
})
const organizationOf = area({
  on: "organizationUser",
  base: "/users/{username}/orgs/{org}",
  scope: ["organization"],
  asks: ["user-visible"]
})
const users = area({ on: "site", base: "/users", scope: ["user"] })
const user = area({ on: "user", base: "/users/{username}", scope: ["user"] })
const repositories = area({
  on: "user",
  base: "/users/{username}/repos",
  scope: ["user", "repository"],
  guards: ["user-visible"]
})

/** Users and what others see of them: each action with its route and the guards of its row. */
export const userActions = {
  "user.organization.list": organizations("GET"),
  "user.organization.permissions": organizationOf("GET /permissions", "sign-in", "org-visible", "self-or-OM-or-SA"),
  "user.search": users("GET /search", "explore-sign-in", "users-page-enabled"),
  "user.read": user("GET", "user-visible"),
  "user.heatmap": user("GET /heatmap", "heatmap-enabled", "user-visible"),
  "user.repository.list": repositories("GET"),
  "user.token.list": user("GET /tokens", "user-visible", "self-or-SA", "basic-auth"),
  "user.token.create": user("POST /tokens", "user-visible", "self-or-SA", "basic-auth"),
  "user.token.delete": user("DELETE /tokens/{id}", "user-visible", "self-or-SA", "basic-auth"),
  "user.feed.list": user("GET /activities/feeds", "user-visible"),
  "user.key.list": user("GET /keys", "user-visible", "sign-in"),
  "user.gpg-key.list": user("GET /gpg_keys", "user-visible", "sign-in"),
  "user.follower.list": user("GET /followers", "user-visible", "sign-in"),
  "user.following.list": user("GET /following", "user-visible", "sign-in"),
  "user.following.check": user("GET /following/{target}", "user-visible", "sign-in"),
  "user.starred.list": user("GET /starred", "user-visible", "sign-in", "stars-enabled"),
  "user.subscription.list": user("GET /subscriptions", "user-visible", "sign-in")
} as const
