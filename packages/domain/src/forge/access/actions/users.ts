import { area, asking } from "../Action.ts"

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

/** The actions on users and their public data, each with its route and its guards (named access checks). */
export const userActions = {
  "user.organization.list": organizations("GET", "List the organizations of a user that the caller can see"),
  "user.organization.permissions": organizationOf(
    "GET /permissions",
    "Read the permissions of a user in an organization",
    "sign-in",
    "org-visible",
    "self-or-member-or-site-admin"
  ),
  "user.search": users(
    "GET /search",
    "Find users by a part of their name or full name",
    "explore-sign-in",
    "users-page-enabled"
  ),
  "user.read": user("GET", "Read a user", "user-visible"),
  "user.heatmap": user("GET /heatmap", "Read the daily activity of a user", "heatmap-enabled", "user-visible"),
  "user.repository.list": repositories("GET", "List the repositories of a user that the caller can access"),
  "user.token.list": asking(
    user("GET /tokens", "List the tokens of a user", "user-visible", "self-or-site-admin", "basic-auth"),
    "is-user"
  ),
  "user.token.create": asking(
    user("POST /tokens", "Create a token; its text is shown once", "user-visible", "self-or-site-admin", "basic-auth"),
    "is-user"
  ),
  "user.token.delete": asking(
    user("DELETE /tokens/{id}", "Delete a token", "user-visible", "self-or-site-admin", "basic-auth"),
    "is-user"
  ),
  "user.feed.list": user("GET /activities/feeds", "List the activities of a user", "user-visible"),
  "user.key.list": user("GET /keys", "List the public keys of a user", "user-visible", "sign-in"),
  "user.gpg-key.list": user("GET /gpg_keys", "List the GPG keys of a user", "user-visible", "sign-in"),
  "user.follower.list": user("GET /followers", "List the followers of a user", "user-visible", "sign-in"),
  "user.following.list": user("GET /following", "List the users that a user follows", "user-visible", "sign-in"),
  "user.following.check": user(
    "GET /following/{target}",
    "Check whether a user follows another user",
    "user-visible",
    "sign-in"
  ),
  "user.starred.list": user(
    "GET /starred",
    "List the repositories that a user starred",
    "user-visible",
    "sign-in",
    "stars-enabled"
  ),
  "user.subscription.list": user(
    "GET /subscriptions",
    "List the repositories that a user watches",
    "user-visible",
    "sign-in"
  )
} as const
