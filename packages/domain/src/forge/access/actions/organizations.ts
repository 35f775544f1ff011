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
  "organization.create": organizations("POST", "sign-in", "may-create-org"),
  "organization.read": organization("GET"),
  "organization.edit": organization("PATCH", "sign-in", "OO"),
  "organization.delete": organization("DELETE", "sign-in", "OO"),
  "organization.rename": organization("POST /rename", "sign-in", "OO"),
  "organization.repository.list": organization("GET /repos"),
  "organization.repository.create": creation("POST", "sign-in"),
  "organization.repository.delete-all": repositories("DELETE", "sign-in", "OO"),
  "organization.member.list": organization("GET /members", "sign-in"),
  "organization.member.check": organization("GET /members/{username}", "sign-in"),
  // Not of the specification: what a user reaches in the organization, and why.
  "organization.member.access": memberAccess("GET", "sign-in", "OO"),
  "organization.member.remove": organization("DELETE /members/{username}", "sign-in", "OO"),
  "organization.public-member.list": organization("GET /public_members"),
  "organization.public-member.check": organization("GET /public_members/{username}"),
  "organization.public-member.add": organization("PUT /public_members/{username}", "sign-in", "OM"),
  "organization.public-member.remove": organization("DELETE /public_members/{username}", "sign-in", "OM"),
  "organization.feed.list": organization("GET /activities/feeds"),
  // Not of the specification: what was done and refused.
  "organization.audit.list": organization("GET /audit", "sign-in", "OO"),
  "organization.label.list": organization("GET /labels"),
  "organization.label.create": organization("POST /labels", "sign-in", "OO"),
  "organization.label.read": organization("GET /labels/{id}", "sign-in"),
  "organization.label.edit": organization("PATCH /labels/{id}", "sign-in", "OO"),
  "organization.label.delete": organization("DELETE /labels/{id}", "sign-in", "OO"),
  "organization.hook.list": organization("GET /hooks", "sign-in", "OO", "webhooks-enabled"),
  "organization.hook.create": organization("POST /hooks", "sign-in", "OO", "webhooks-enabled"),
  "organization.hook.read": organization("GET /hooks/{id}", "sign-in", "OO", "webhooks-enabled"),
  "organization.hook.edit": organization("PATCH /hooks/{id}", "sign-in", "OO", "webhooks-enabled"),
  "organization.hook.delete": organization("DELETE /hooks/{id}", "sign-in", "OO", "webhooks-enabled"),
  "organization.avatar.set": organization("POST /avatar", "sign-in", "OO"),
  "organization.avatar.delete": organization("DELETE /avatar", "sign-in", "OO"),
  "organization.block.list": organization("GET /blocks", "sign-in", "OO"),
  "organization.block.check": organization("GET /blocks/{username}", "sign-in", "OO"),
  "organization.block.add": organization("PUT /blocks/{username}", "sign-in", "OO"),
  "organization.block.remove": organization("DELETE /blocks/{username}", "sign-in", "OO"),
  "organization.actions.secret.list": organization("GET /actions/secrets", "sign-in", "OM"),
  "organization.actions.secret.set": organization("PUT /actions/secrets/{secretname}", "sign-in", "OO"),
  "organization.actions.secret.delete": organization("DELETE /actions/secrets/{secretname}", "sign-in", "OO"),
  "organization.actions.variable.list": organization("GET /actions/variables", "sign-in", "OM"),
  "organization.actions.variable.read": organization("GET /actions/variables/{variablename}", "sign-in", "OM"),
  "organization.actions.variable.create": organization("POST /actions/variables/{variablename}", "sign-in", "OO"),
  "organization.actions.variable.set": organization("PUT /actions/variables/{variablename}", "sign-in", "OO"),
  "organization.actions.variable.delete": organization("DELETE /actions/variables/{variablename}", "sign-in", "OO"),
  "organization.actions.runner.list": organization("GET /actions/runners", "sign-in", "OM"),
  "organization.actions.runner.registration-token.create": organization(
    "POST /actions/runners/registration-token",
    "sign-in",
    "OO"
  ),
  "organization.actions.runner.read": organization("GET /actions/runners/{runner_id}", "sign-in", "OM"),
  "organization.actions.runner.delete": organization("DELETE /actions/runners/{runner_id}", "sign-in", "OO"),
  "organization.actions.runner.edit": organization("PATCH /actions/runners/{runner_id}", "sign-in", "OO"),
  "organization.team.list": organization("GET /teams", "sign-in", "OM"),
  "organization.team.create": organization("POST /teams", "sign-in", "OM", "OO"),
  "organization.team.search": organization("GET /teams/search", "sign-in", "OM"),
  "organization.repository.create-deprecated": deprecatedCreation("POST", "sign-in")
} as const
