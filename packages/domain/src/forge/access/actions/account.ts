import { area, asking } from "../Action.ts"

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
  asks: ["user-visible", "is-user"],
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
const milestones = area({
  on: "site",
  base: "/user/milestones",
  scope: ["user", "issue"],
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

/** The actions on the signed-in user, each with its route and its guards (named access checks). */
export const accountActions = {
  "account.organization.list": memberships("GET /orgs", "List the organizations of the signed-in user"),
  "account.team.list": memberships("GET /teams", "List the teams of the signed-in user"),
  "account.read": account("GET", "Read the signed-in user"),
  "account.summary.read": account("GET /summary", "Read the names and the avatar of the signed-in user"),
  "account.settings.read": account("GET /settings", "Read the settings of the signed-in user", "reject-public-only"),
  "account.settings.edit": account(
    "PATCH /settings",
    "Change the settings of the signed-in user",
    "reject-public-only"
  ),
  "account.email.list": account("GET /emails", "List the email addresses of the signed-in user", "reject-public-only"),
  "account.email.add": account("POST /emails", "Add email addresses, all or none", "reject-public-only"),
  "account.email.remove": account("DELETE /emails", "Remove email addresses, all or none", "reject-public-only"),
  "account.actions.secret.set": account(
    "PUT /actions/secrets/{secretname}",
    "Set a secret of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.secret.delete": account(
    "DELETE /actions/secrets/{secretname}",
    "Delete a secret of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.variable.list": account(
    "GET /actions/variables",
    "List the variables of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.variable.read": account(
    "GET /actions/variables/{variablename}",
    "Read a variable of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.variable.create": account(
    "POST /actions/variables/{variablename}",
    "Create a variable for the signed-in user",
    "reject-public-only"
  ),
  "account.actions.variable.set": account(
    "PUT /actions/variables/{variablename}",
    "Set a variable of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.variable.delete": account(
    "DELETE /actions/variables/{variablename}",
    "Delete a variable of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.runner.list": account(
    "GET /actions/runners",
    "List the runners of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.runner.registration-token.create": account(
    "POST /actions/runners/registration-token",
    "Create a token that registers runners",
    "reject-public-only"
  ),
  "account.actions.runner.read": account(
    "GET /actions/runners/{runner_id}",
    "Read a runner of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.runner.delete": account(
    "DELETE /actions/runners/{runner_id}",
    "Delete a runner of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.runner.edit": account(
    "PATCH /actions/runners/{runner_id}",
    "Change a runner of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.run.list": account(
    "GET /actions/runs",
    "List the workflow runs of the signed-in user",
    "reject-public-only"
  ),
  "account.actions.job.list": account("GET /actions/jobs", "List the jobs of the signed-in user", "reject-public-only"),
  "account.follower.list": account("GET /followers", "List the followers of the signed-in user"),
  "account.following.list": account("GET /following", "List the users that the signed-in user follows"),
  "account.following.check": followed("GET", "Check whether the signed-in user follows another user"),
  "account.following.add": asking(followed("PUT", "Follow a user"), "not-blocked"),
  "account.following.remove": account("DELETE /following/{username}", "Unfollow a user"),
  "account.key.list": account("GET /keys", "List the public keys of the signed-in user", "reject-public-only"),
  "account.key.create": asking(account("POST /keys", "Add a public key", "reject-public-only"), "key-scope"),
  "account.key.read": account("GET /keys/{id}", "Read a public key of the signed-in user", "reject-public-only"),
  "account.key.delete": account("DELETE /keys/{id}", "Delete a public key of the signed-in user", "reject-public-only"),
  "account.oauth2-application.list": account(
    "GET /applications/oauth2",
    "List the OAuth2 applications of the signed-in user",
    "reject-public-only"
  ),
  "account.oauth2-application.create": account(
    "POST /applications/oauth2",
    "Create an OAuth2 application for the signed-in user",
    "reject-public-only"
  ),
  "account.oauth2-application.read": account(
    "GET /applications/oauth2/{id}",
    "Read an OAuth2 application of the signed-in user",
    "reject-public-only"
  ),
  "account.oauth2-application.edit": account(
    "PATCH /applications/oauth2/{id}",
    "Change an OAuth2 application of the signed-in user",
    "reject-public-only"
  ),
  "account.oauth2-application.delete": account(
    "DELETE /applications/oauth2/{id}",
    "Delete an OAuth2 application of the signed-in user",
    "reject-public-only"
  ),
  "account.gpg-key.list": account("GET /gpg_keys", "List the GPG keys of the signed-in user", "reject-public-only"),
  "account.gpg-key.create": account("POST /gpg_keys", "Add a GPG key", "reject-public-only"),
  "account.gpg-key.read": account("GET /gpg_keys/{id}", "Read a GPG key of the signed-in user", "reject-public-only"),
  "account.gpg-key.delete": account(
    "DELETE /gpg_keys/{id}",
    "Delete a GPG key of the signed-in user",
    "reject-public-only"
  ),
  "account.gpg-key.challenge": account(
    "GET /gpg_key_token",
    "Get the challenge text to sign with a GPG key",
    "reject-public-only"
  ),
  "account.gpg-key.verify": account(
    "POST /gpg_key_verify",
    "Verify a GPG key by the signed challenge",
    "reject-public-only"
  ),
  "account.repository.list": repositories("GET", "List the repositories of the signed-in user"),
  "account.repository.create": repositories("POST", "Create a repository for the signed-in user"),
  "account.starred.list": account(
    "GET /starred",
    "List the repositories that the signed-in user starred",
    "stars-enabled"
  ),
  "account.starred.check": star("GET", "Check whether the signed-in user starred a repository"),
  "account.starred.add": asking(star("PUT", "Star a repository"), "not-blocked"),
  "account.starred.remove": star("DELETE", "Remove the signed-in user's star from a repository"),
  "account.milestone.list": milestones(
    "GET",
    "List the milestones of repositories that the signed-in user owns or was granted"
  ),
  "account.time.list": account("GET /times", "List the tracked times of the signed-in user", "reject-public-only"),
  "account.stopwatch.list": account(
    "GET /stopwatches",
    "List the running stopwatches of the signed-in user",
    "reject-public-only"
  ),
  "account.subscription.list": account("GET /subscriptions", "List the repositories that the signed-in user watches"),
  "account.hook.list": account(
    "GET /hooks",
    "List the webhooks of the signed-in user",
    "reject-public-only",
    "webhooks-enabled"
  ),
  "account.hook.create": account(
    "POST /hooks",
    "Create a webhook for the signed-in user",
    "reject-public-only",
    "webhooks-enabled"
  ),
  "account.hook.read": account(
    "GET /hooks/{id}",
    "Read a webhook of the signed-in user",
    "reject-public-only",
    "webhooks-enabled"
  ),
  "account.hook.edit": account(
    "PATCH /hooks/{id}",
    "Change a webhook of the signed-in user",
    "reject-public-only",
    "webhooks-enabled"
  ),
  "account.hook.delete": account(
    "DELETE /hooks/{id}",
    "Delete a webhook of the signed-in user",
    "reject-public-only",
    "webhooks-enabled"
  ),
  // Not in the specification: lists deliveries of the webhook and sends one again.
  "account.hook.delivery.list": account(
    "GET /hooks/{id}/deliveries",
    "List the deliveries of a webhook of the signed-in user, newest first",
    "reject-public-only",
    "webhooks-enabled"
  ),
  "account.hook.delivery.read": account(
    "GET /hooks/{id}/deliveries/{delivery}",
    "Read a delivery of a webhook of the signed-in user",
    "reject-public-only",
    "webhooks-enabled"
  ),
  "account.hook.delivery.redeliver": account(
    "POST /hooks/{id}/deliveries/{delivery}",
    "Redeliver a delivery of a webhook of the signed-in user",
    "reject-public-only",
    "webhooks-enabled"
  ),
  "account.avatar.set": account("POST /avatar", "Set the avatar of the signed-in user", "reject-public-only"),
  "account.avatar.delete": account("DELETE /avatar", "Remove the avatar of the signed-in user", "reject-public-only"),
  "account.block.list": account("GET /blocks", "List the users that the signed-in user blocks", "reject-public-only"),
  "account.block.check": account(
    "GET /blocks/{username}",
    "Check whether the signed-in user blocks another user",
    "reject-public-only"
  ),
  "account.block.add": account("PUT /blocks/{username}", "Block a user", "reject-public-only"),
  "account.block.remove": account("DELETE /blocks/{username}", "Unblock a user", "reject-public-only")
} as const
