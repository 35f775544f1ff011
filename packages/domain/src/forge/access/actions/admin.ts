import { area } from "../Action.ts"

const admin = area({
  on: "site",
  base: "/admin",
  scope: ["admin"],
  guards: ["sign-in", "SA"],
  publicOnly: "refused",
  signInFirst: true
})

/** Administration of the site: each action with its route and the guards of its row. */
export const adminActions = {
  // Not of the specification: what was done and refused, and what keeps failing.
  "admin.audit.list": admin("GET /audit"),
  "admin.notice.list": admin("GET /notices"),
  "admin.notice.remove": admin("DELETE /notices/{id}"),
  "admin.cron.list": admin("GET /cron"),
  "admin.cron.run": admin("POST /cron/{task}"),
  "admin.organization.list": admin("GET /orgs"),
  "admin.user.list": admin("GET /users"),
  "admin.user.create": admin("POST /users"),
  "admin.user.edit": admin("PATCH /users/{username}"),
  "admin.user.delete": admin("DELETE /users/{username}"),
  "admin.user.key.create": admin("POST /users/{username}/keys"),
  "admin.user.key.delete": admin("DELETE /users/{username}/keys/{id}"),
  "admin.user.organization.list": admin("GET /users/{username}/orgs"),
  "admin.user.organization.create": admin("POST /users/{username}/orgs"),
  "admin.user.repository.create": admin("POST /users/{username}/repos"),
  "admin.user.rename": admin("POST /users/{username}/rename"),
  "admin.user.badge.list": admin("GET /users/{username}/badges"),
  "admin.user.badge.add": admin("POST /users/{username}/badges"),
  "admin.user.badge.remove": admin("DELETE /users/{username}/badges"),
  "admin.email.list": admin("GET /emails"),
  "admin.email.search": admin("GET /emails/search"),
  "admin.unadopted.list": admin("GET /unadopted"),
  "admin.unadopted.adopt": admin("POST /unadopted/{username}/{reponame}"),
  "admin.unadopted.delete": admin("DELETE /unadopted/{username}/{reponame}"),
  "admin.hook.list": admin("GET /hooks", "webhooks-enabled"),
  "admin.hook.create": admin("POST /hooks", "webhooks-enabled"),
  "admin.hook.read": admin("GET /hooks/{id}", "webhooks-enabled"),
  "admin.hook.edit": admin("PATCH /hooks/{id}", "webhooks-enabled"),
  "admin.hook.delete": admin("DELETE /hooks/{id}", "webhooks-enabled"),
  "admin.actions.runner.list": admin("GET /actions/runners"),
  "admin.actions.runner.registration-token.create": admin("POST /actions/runners/registration-token"),
  "admin.actions.runner.read": admin("GET /actions/runners/{runner_id}"),
  "admin.actions.runner.delete": admin("DELETE /actions/runners/{runner_id}"),
  "admin.actions.runner.edit": admin("PATCH /actions/runners/{runner_id}"),
  "admin.actions.run.list": admin("GET /actions/runs"),
  "admin.actions.job.list": admin("GET /actions/jobs")
} as const
