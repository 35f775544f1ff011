import { area } from "../Action.ts"

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

/** Organizations: each action with its route and the guards of its row. */
export const organizationActions = {
  "organization.list": organizations("GET"),
  "organization.create": organizations("POST", "T", "may-create-org"),
  "organization.read": organization("GET"),
  "organization.edit": organization("PATCH", "T", "OO"),
  "organization.delete": organization("DELETE", "T", "OO"),
  "organization.rename": organization("POST /rename", "T", "OO"),
  "organization.repository.list": organization("GET /repos"),
  "organization.repository.create": creation("POST", "T"),
  "organization.repository.delete-all": repositories("DELETE", "T", "OO"),
  "organization.member.list": organization("GET /members", "T"),
  "organization.member.check": organization("GET /members/{username}", "T"),
  // Not of the specification: what a user reaches in the organization, and why.
  "organization.member.access": memberAccess("GET", "T", "OO"),
  "organization.member.remove": organization("DELETE /members/{username}", "T", "OO"),
  "organization.public-member.list": organization("GET /public_members"),
  "organization.public-member.check": organization("GET /public_members/{username}"),
  "organization.public-member.add": organization("PUT /public_members/{username}", "T", "OM"),
  "organization.public-member.remove": organization("DELETE /public_members/{username}", "T", "OM"),
  "organization.feed.list": organization("GET /activities/feeds"),
  // Not of the specification: what was done and refused.
  "organization.audit.list": organization("GET /audit", "T", "OO"),
  "organization.label.list": organization("GET /labels"),
  "organization.label.create": organization("POST /labels", "T", "OO"),
  "organization.label.read": organization("GET /labels/{id}", "T"),
  "organization.label.edit": organization("PATCH /labels/{id}", "T", "OO"),
  "organization.label.delete": organization("DELETE /labels/{id}", "T", "OO"),
  "organization.hook.list": organization("GET /hooks", "T", "OO", "webhooks-enabled"),
  "organization.hook.create": organization("POST /hooks", "T", "OO", "webhooks-enabled"),
  "organization.hook.read": organization("GET /hooks/{id}", "T", "OO", "webhooks-enabled"),
  "organization.hook.edit": organization("PATCH /hooks/{id}", "T", "OO", "webhooks-enabled"),
  "organization.hook.delete": organization("DELETE /hooks/{id}", "T", "OO", "webhooks-enabled"),
  "organization.avatar.set": organization("POST /avatar", "T", "OO"),
  "organization.avatar.delete": organization("DELETE /avatar", "T", "OO"),
  "organization.block.list": organization("GET /blocks", "T", "OO"),
  "organization.block.check": organization("GET /blocks/{username}", "T", "OO"),
  "organization.block.add": organization("PUT /blocks/{username}", "T", "OO"),
  "organization.block.remove": organization("DELETE /blocks/{username}", "T", "OO"),
  "organization.actions.secret.list": organization("GET /actions/secrets", "T", "OM"),
  "organization.actions.secret.set": organization("PUT /actions/secrets/{secretname}", "T", "OO"),
  "organization.actions.secret.delete": organization("DELETE /actions/secrets/{secretname}", "T", "OO"),
  "organization.actions.variable.list": organization("GET /actions/variables", "T", "OM"),
  "organization.actions.variable.read": organization("GET /actions/variables/{variablename}", "T", "OM"),
  "organization.actions.variable.create": organization("POST /actions/variables/{variablename}", "T", "OO"),
  "organization.actions.variable.set": organization("PUT /actions/variables/{variablename}", "T", "OO"),
  "organization.actions.variable.delete": organization("DELETE /actions/variables/{variablename}", "T", "OO"),
  "organization.actions.runner.list": organization("GET /actions/runners", "T", "OM"),
  "organization.actions.runner.registration-token.create": organization(
    "POST /actions/runners/registration-token",
    "T",
    "OO"
  ),
  "organization.actions.runner.read": organization("GET /actions/runners/{runner_id}", "T", "OM"),
  "organization.actions.runner.delete": organization("DELETE /actions/runners/{runner_id}", "T", "OO"),
  "organization.actions.runner.edit": organization("PATCH /actions/runners/{runner_id}", "T", "OO"),
  "organization.team.list": organization("GET /teams", "T", "OM"),
  "organization.team.create": organization("POST /teams", "T", "OM", "OO"),
  "organization.team.search": organization("GET /teams/search", "T", "OM"),
  "organization.repository.create-deprecated": deprecatedCreation("POST", "T")
} as const
