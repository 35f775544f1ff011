import { area, asking } from "../Action.ts"

const organizations = area({ on: "site", base: "/orgs", scope: ["organization"] })
const organization = area({ on: "organization", base: "/orgs/{org}", scope: ["organization"], guards: ["org-visible"] })
const creation = area({
  on: "organization",
  base: "/orgs/{org}/repos",
  scope: ["organization"],
  guards: ["org-visible"],
  asks: ["may-create-repository"]
})
const repositories = area({
  on: "organization",
  base: "/orgs/{org}/repos",
  scope: ["organization", "repository"],
  guards: ["org-visible"]
})
const memberAccess = area({
  on: "organization",
  base: "/orgs/{org}/members/{username}/access",
  scope: ["organization", "repository"],
  guards: ["org-visible"]
})
const deprecatedCreation = area({
  on: "organization",
  base: "/org/{org}/repos",
  scope: ["repository"],
  asks: ["org-visible", "may-create-repository"]
})

/** The actions on organizations, each with its route and its guards (named access checks). */
export const organizationActions = {
  "organization.list": organizations("GET", "List the organizations that the caller can find, by name"),
  "organization.create": organizations(
    "POST",
    "Create an organization owned by the caller",
    "sign-in",
    "may-create-org"
  ),
  "organization.read": organization("GET", "Read an organization"),
  "organization.edit": organization("PATCH", "Change an organization", "sign-in", "organization-owner"),
  "organization.delete": organization(
    "DELETE",
    "Delete an organization that owns no repositories",
    "sign-in",
    "organization-owner"
  ),
  "organization.rename": organization(
    "POST /rename",
    "Rename an organization; the old name redirects to the new one",
    "sign-in",
    "organization-owner"
  ),
  "organization.repository.list": organization(
    "GET /repos",
    "List the repositories of an organization that the caller can access"
  ),
  "organization.repository.create": creation("POST", "Create a repository in an organization", "sign-in"),
  "organization.repository.delete-all": repositories(
    "DELETE",
    "Delete the repositories of an organization, in the background",
    "sign-in",
    "organization-owner"
  ),
  "organization.member.list": organization(
    "GET /members",
    "List the members of an organization; non-members see public members",
    "sign-in"
  ),
  "organization.member.check": organization("GET /members/{username}", "Check whether a user is a member", "sign-in"),
  // Not in the specification: returns the access of a user in the organization, with the reasons.
  "organization.member.access": memberAccess(
    "GET",
    "List the access of a user in an organization, and why",
    "sign-in",
    "organization-owner"
  ),
  "organization.member.remove": organization(
    "DELETE /members/{username}",
    "Remove a member from every team, except the last owner",
    "sign-in",
    "organization-owner"
  ),
  "organization.public-member.list": organization("GET /public_members", "List the public members"),
  "organization.public-member.check": organization(
    "GET /public_members/{username}",
    "Check whether a user is a public member"
  ),
  "organization.public-member.add": asking(
    organization(
      "PUT /public_members/{username}",
      "Publicize the caller's membership",
      "sign-in",
      "organization-member"
    ),
    "publicizes-own"
  ),
  "organization.public-member.remove": asking(
    organization(
      "DELETE /public_members/{username}",
      "Conceal the caller's membership",
      "sign-in",
      "organization-member"
    ),
    "conceals-own"
  ),
  "organization.feed.list": organization(
    "GET /activities/feeds",
    "List activities in the repositories of an organization"
  ),
  // Not in the specification: lists performed and rejected actions.
  "organization.audit.list": organization(
    "GET /audit",
    "List the audit events of an organization, newest first",
    "sign-in",
    "organization-owner"
  ),
  "organization.label.list": organization("GET /labels", "List the labels of an organization by name"),
  "organization.label.create": organization("POST /labels", "Create a label", "sign-in", "organization-owner"),
  "organization.label.read": organization("GET /labels/{id}", "Read a label", "sign-in"),
  "organization.label.edit": organization("PATCH /labels/{id}", "Change a label", "sign-in", "organization-owner"),
  "organization.label.delete": organization("DELETE /labels/{id}", "Delete a label", "sign-in", "organization-owner"),
  "organization.hook.list": organization(
    "GET /hooks",
    "List the webhooks of an organization",
    "sign-in",
    "organization-owner",
    "webhooks-enabled"
  ),
  "organization.hook.create": organization(
    "POST /hooks",
    "Create a webhook in an organization",
    "sign-in",
    "organization-owner",
    "webhooks-enabled"
  ),
  "organization.hook.read": organization(
    "GET /hooks/{id}",
    "Read a webhook of an organization",
    "sign-in",
    "organization-owner",
    "webhooks-enabled"
  ),
  "organization.hook.edit": organization(
    "PATCH /hooks/{id}",
    "Change a webhook of an organization",
    "sign-in",
    "organization-owner",
    "webhooks-enabled"
  ),
  "organization.hook.delete": organization(
    "DELETE /hooks/{id}",
    "Delete a webhook of an organization",
    "sign-in",
    "organization-owner",
    "webhooks-enabled"
  ),
  // Not in the specification: lists deliveries of the webhook and sends one again.
  "organization.hook.delivery.list": organization(
    "GET /hooks/{id}/deliveries",
    "List the deliveries of a webhook of an organization, newest first",
    "sign-in",
    "organization-owner",
    "webhooks-enabled"
  ),
  "organization.hook.delivery.read": organization(
    "GET /hooks/{id}/deliveries/{delivery}",
    "Read a delivery of a webhook of an organization",
    "sign-in",
    "organization-owner",
    "webhooks-enabled"
  ),
  "organization.hook.delivery.redeliver": organization(
    "POST /hooks/{id}/deliveries/{delivery}",
    "Redeliver a delivery of a webhook of an organization",
    "sign-in",
    "organization-owner",
    "webhooks-enabled"
  ),
  "organization.avatar.set": organization(
    "POST /avatar",
    "Set the avatar of an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.avatar.delete": organization(
    "DELETE /avatar",
    "Remove the avatar of an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.block.list": organization(
    "GET /blocks",
    "List the users that an organization blocks",
    "sign-in",
    "organization-owner"
  ),
  "organization.block.check": organization(
    "GET /blocks/{username}",
    "Check whether an organization blocks a user",
    "sign-in",
    "organization-owner"
  ),
  "organization.block.add": organization(
    "PUT /blocks/{username}",
    "Block a non-member for an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.block.remove": organization(
    "DELETE /blocks/{username}",
    "Unblock a user for an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.actions.secret.list": organization(
    "GET /actions/secrets",
    "List the names of secrets of an organization",
    "sign-in",
    "organization-member"
  ),
  "organization.actions.secret.set": organization(
    "PUT /actions/secrets/{secretname}",
    "Set a secret of an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.actions.secret.delete": organization(
    "DELETE /actions/secrets/{secretname}",
    "Delete a secret of an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.actions.variable.list": organization(
    "GET /actions/variables",
    "List the variables of an organization",
    "sign-in",
    "organization-member"
  ),
  "organization.actions.variable.read": organization(
    "GET /actions/variables/{variablename}",
    "Read a variable of an organization",
    "sign-in",
    "organization-member"
  ),
  "organization.actions.variable.create": organization(
    "POST /actions/variables/{variablename}",
    "Create a variable in an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.actions.variable.set": organization(
    "PUT /actions/variables/{variablename}",
    "Change a variable of an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.actions.variable.delete": organization(
    "DELETE /actions/variables/{variablename}",
    "Delete a variable of an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.actions.runner.list": organization(
    "GET /actions/runners",
    "List the runners of an organization",
    "sign-in",
    "organization-member"
  ),
  "organization.actions.runner.registration-token.create": organization(
    "POST /actions/runners/registration-token",
    "Create a token that registers runners",
    "sign-in",
    "organization-owner"
  ),
  "organization.actions.runner.read": organization(
    "GET /actions/runners/{runner_id}",
    "Read a runner of an organization",
    "sign-in",
    "organization-member"
  ),
  "organization.actions.runner.delete": organization(
    "DELETE /actions/runners/{runner_id}",
    "Delete a runner of an organization",
    "sign-in",
    "organization-owner"
  ),
  // Not in the specification, like those of the user and the site: lists runs and jobs of repositories with actions
  // that the caller may read.
  "organization.actions.run.list": organization(
    "GET /actions/runs",
    "List the workflow runs of an organization",
    "sign-in",
    "organization-member"
  ),
  "organization.actions.job.list": organization(
    "GET /actions/jobs",
    "List the jobs of an organization",
    "sign-in",
    "organization-member"
  ),
  "organization.actions.runner.edit": organization(
    "PATCH /actions/runners/{runner_id}",
    "Change a runner of an organization",
    "sign-in",
    "organization-owner"
  ),
  "organization.team.list": organization(
    "GET /teams",
    "List the visible teams of an organization",
    "sign-in",
    "organization-member"
  ),
  "organization.team.create": organization(
    "POST /teams",
    "Create a team",
    "sign-in",
    "organization-member",
    "organization-owner"
  ),
  "organization.team.search": organization(
    "GET /teams/search",
    "Find teams by a part of their name or description",
    "sign-in",
    "organization-member"
  ),
  "organization.repository.create-deprecated": deprecatedCreation(
    "POST",
    "Create a repository in an organization",
    "sign-in"
  )
} as const
