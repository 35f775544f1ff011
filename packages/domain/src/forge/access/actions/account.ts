import { area } from "../Action.ts"

const memberships = area({
  on: "site",
  base: "/user",
  scope: ["organization"],
  guards: ["sign-in"],
  publicOnly: "self",
  signInFirst: true
})
const account = area({
  on: "site",
  base: "/user",
  scope: ["user"],
  guards: ["sign-in"],
  publicOnly: "self",
  signInFirst: true
})
const followed = area({
  on: "user",
  base: "/user/following/{username}",
  scope: ["user"],
  guards: ["sign-in"],
  asks: ["user-visible"],
  publicOnly: "self",
  signInFirst: true
})
const repositories = area({
  on: "site",
  base: "/user/repos",
  scope: ["user", "repository"],
  guards: ["sign-in"],
  publicOnly: "self",
  signInFirst: true
})
const star = area({
  on: "repository",
  base: "/user/starred/{username}/{reponame}",
  scope: ["user"],
  guards: ["sign-in", "stars-enabled", "repo-visible"],
  publicOnly: "self",
  signInFirst: true
})

/** The signed-in user: each action with its route and the guards of its row. */
export const accountActions = {
  "account.organization.list": memberships("GET /orgs"),
  "account.team.list": memberships("GET /teams"),
  "account.read": account("GET"),
  "account.settings.read": account("GET /settings", "reject-public-only"),
  "account.settings.edit": account("PATCH /settings", "reject-public-only"),
  "account.email.list": account("GET /emails", "reject-public-only"),
  "account.email.add": account("POST /emails", "reject-public-only"),
  "account.email.remove": account("DELETE /emails", "reject-public-only"),
  "account.actions.secret.set": account("PUT /actions/secrets/{secretname}", "reject-public-only"),
  "account.actions.secret.delete": account("DELETE /actions/secrets/{secretname}", "reject-public-only"),
  "account.actions.variable.list": account("GET /actions/variables", "reject-public-only"),
  "account.actions.variable.read": account("GET /actions/variables/{variablename}", "reject-public-only"),
  "account.actions.variable.create": account("POST /actions/variables/{variablename}", "reject-public-only"),
  "account.actions.variable.set": account("PUT /actions/variables/{variablename}", "reject-public-only"),
  "account.actions.variable.delete": account("DELETE /actions/variables/{variablename}", "reject-public-only"),
  "account.actions.runner.list": account("GET /actions/runners", "reject-public-only"),
  "account.actions.runner.registration-token.create": account(
    "POST /actions/runners/registration-token",
    "reject-public-only"
  ),
  "account.actions.runner.read": account("GET /actions/runners/{runner_id}", "reject-public-only"),
  "account.actions.runner.delete": account("DELETE /actions/runners/{runner_id}", "reject-public-only"),
  "account.actions.runner.edit": account("PATCH /actions/runners/{runner_id}", "reject-public-only"),
  "account.actions.run.list": account("GET /actions/runs", "reject-public-only"),
  "account.actions.job.list": account("GET /actions/jobs", "reject-public-only"),
  "account.follower.list": account("GET /followers"),
  "account.following.list": account("GET /following"),
  "account.following.check": followed("GET"),
  "account.following.add": followed("PUT"),
  "account.following.remove": account("DELETE /following/{username}"),
  "account.key.list": account("GET /keys", "reject-public-only"),
  "account.key.create": account("POST /keys", "reject-public-only"),
  "account.key.read": account("GET /keys/{id}", "reject-public-only"),
  "account.key.delete": account("DELETE /keys/{id}", "reject-public-only"),
  "account.oauth2-application.list": account("GET /applications/oauth2", "reject-public-only"),
  "account.oauth2-application.create": account("POST /applications/oauth2", "reject-public-only"),
  "account.oauth2-application.read": account("GET /applications/oauth2/{id}", "reject-public-only"),
  "account.oauth2-application.edit": account("PATCH /applications/oauth2/{id}", "reject-public-only"),
  "account.oauth2-application.delete": account("DELETE /applications/oauth2/{id}", "reject-public-only"),
  "account.gpg-key.list": account("GET /gpg_keys", "reject-public-only"),
  "account.gpg-key.create": account("POST /gpg_keys", "reject-public-only"),
  "account.gpg-key.read": account("GET /gpg_keys/{id}", "reject-public-only"),
  "account.gpg-key.delete": account("DELETE /gpg_keys/{id}", "reject-public-only"),
  "account.gpg-key.challenge": account("GET /gpg_key_token", "reject-public-only"),
  "account.gpg-key.verify": account("POST /gpg_key_verify", "reject-public-only"),
  "account.repository.list": repositories("GET"),
  "account.repository.create": repositories("POST"),
  "account.starred.list": account("GET /starred", "stars-enabled"),
  "account.starred.check": star("GET"),
  "account.starred.add": star("PUT"),
  "account.starred.remove": star("DELETE"),
  "account.time.list": account("GET /times", "reject-public-only"),
  "account.stopwatch.list": account("GET /stopwatches", "reject-public-only"),
  "account.subscription.list": account("GET /subscriptions"),
  "account.hook.list": account("GET /hooks", "reject-public-only", "webhooks-enabled"),
  "account.hook.create": account("POST /hooks", "reject-public-only", "webhooks-enabled"),
  "account.hook.read": account("GET /hooks/{id}", "reject-public-only", "webhooks-enabled"),
  "account.hook.edit": account("PATCH /hooks/{id}", "reject-public-only", "webhooks-enabled"),
  "account.hook.delete": account("DELETE /hooks/{id}", "reject-public-only", "webhooks-enabled"),
  "account.avatar.set": account("POST /avatar", "reject-public-only"),
  "account.avatar.delete": account("DELETE /avatar", "reject-public-only"),
  "account.block.list": account("GET /blocks", "reject-public-only"),
  "account.block.check": account("GET /blocks/{username}", "reject-public-only"),
  "account.block.add": account("PUT /blocks/{username}", "reject-public-only"),
  "account.block.remove": account("DELETE /blocks/{username}", "reject-public-only")
} as const
