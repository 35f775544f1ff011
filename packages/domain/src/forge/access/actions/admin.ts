import { area, asking } from "../Action.ts"

const admin = area({
  on: "site",
  base: "/admin",
  scope: ["admin"],
  guards: ["sign-in", "site-admin"],
  publicOnly: "refused",
  signInFirst: true
})

/** The actions of site administration, each with its route and its guards. */
export const adminActions = {
  // Not in the specification: lists performed and rejected actions, and notices of repeated failures.
  "admin.audit.list": admin("GET /audit", "List the audit events of the site, newest first"),
  "admin.notice.list": admin("GET /notices", "List notices about repeated failures"),
  "admin.notice.remove": admin("DELETE /notices/{id}", "Remove a notice"),
  "admin.settings.list": admin("GET /settings", "List the settings of the site"),
  "admin.cron.list": admin("GET /cron", "List the scheduled tasks"),
  "admin.cron.run": admin("POST /cron/{task}", "Run a scheduled task now"),
  "admin.organization.list": admin("GET /orgs", "List all organizations"),
  "admin.user.list": admin("GET /users", "List all users"),
  "admin.user.create": admin("POST /users", "Create a user"),
  "admin.user.edit": admin("PATCH /users/{username}", "Change a user"),
  "admin.user.delete": admin("DELETE /users/{username}", "Delete a user with all of their data"),
  "admin.user.key.create": asking(admin("POST /users/{username}/keys", "Add a public key to a user"), "key-scope"),
  "admin.user.key.delete": admin("DELETE /users/{username}/keys/{id}", "Delete a public key of a user"),
  "admin.user.organization.list": admin(
    "GET /users/{username}/orgs",
    "List the organizations of a user, including concealed memberships"
  ),
  "admin.user.organization.create": admin("POST /users/{username}/orgs", "Create an organization that a user owns"),
  "admin.user.repository.create": admin("POST /users/{username}/repos", "Create a repository for another user"),
  "admin.user.rename": admin("POST /users/{username}/rename", "Rename a user; the old name redirects to the new one"),
  // Not in the specification: resets the second factor of a user who lost it.
  "admin.user.second-factor.delete": admin(
    "DELETE /users/{username}/second_factor",
    "Disable the second factor of a user"
  ),
  // Not in the specification: creates the badges that users can receive.
  "admin.badge.list": admin("GET /badges", "List the badges of the site"),
  "admin.badge.create": admin("POST /badges", "Create a badge"),
  "admin.badge.delete": admin("DELETE /badges/{slug}", "Delete a badge and remove it from its users"),
  "admin.user.badge.list": admin("GET /users/{username}/badges", "List the badges of a user"),
  "admin.user.badge.add": admin("POST /users/{username}/badges", "Give badges to a user"),
  "admin.user.badge.remove": admin("DELETE /users/{username}/badges", "Remove badges from a user"),
  "admin.email.list": admin("GET /emails", "List the email addresses of all users"),
  "admin.email.search": admin(
    "GET /emails/search",
    "Find email addresses by a part of the address or of the user's name"
  ),
  "admin.unadopted.list": admin("GET /unadopted", "List unadopted git repositories on disk"),
  "admin.unadopted.adopt": admin("POST /unadopted/{username}/{reponame}", "Adopt a git repository on disk"),
  "admin.unadopted.delete": admin(
    "DELETE /unadopted/{username}/{reponame}",
    "Delete an unadopted git repository on disk"
  ),
  "admin.hook.list": admin("GET /hooks", "List the webhooks of the site", "webhooks-enabled"),
  "admin.hook.create": admin("POST /hooks", "Create a webhook on the site", "webhooks-enabled"),
  "admin.hook.read": admin("GET /hooks/{id}", "Read a webhook of the site", "webhooks-enabled"),
  "admin.hook.edit": admin("PATCH /hooks/{id}", "Change a webhook of the site", "webhooks-enabled"),
  "admin.hook.delete": admin("DELETE /hooks/{id}", "Delete a webhook of the site", "webhooks-enabled"),
  // Not in the specification: lists deliveries of the webhook and sends one again.
  "admin.hook.delivery.list": admin(
    "GET /hooks/{id}/deliveries",
    "List the deliveries of a webhook of the site, newest first",
    "webhooks-enabled"
  ),
  "admin.hook.delivery.read": admin(
    "GET /hooks/{id}/deliveries/{delivery}",
    "Read a delivery of a webhook of the site",
    "webhooks-enabled"
  ),
  "admin.hook.delivery.redeliver": admin(
    "POST /hooks/{id}/deliveries/{delivery}",
    "Redeliver a delivery of a webhook of the site",
    "webhooks-enabled"
  ),
  "admin.actions.runner.list": admin("GET /actions/runners", "List the runners of the site"),
  "admin.actions.runner.registration-token.create": admin(
    "POST /actions/runners/registration-token",
    "Create a token that registers runners"
  ),
  "admin.actions.runner.read": admin("GET /actions/runners/{runner_id}", "Read a runner of the site"),
  "admin.actions.runner.delete": admin("DELETE /actions/runners/{runner_id}", "Delete a runner of the site"),
  "admin.actions.runner.edit": admin("PATCH /actions/runners/{runner_id}", "Change a runner of the site"),
  "admin.actions.run.list": admin("GET /actions/runs", "List the workflow runs of the site"),
  "admin.actions.job.list": admin("GET /actions/jobs", "List the jobs of the site")
} as const
