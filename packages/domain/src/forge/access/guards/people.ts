import { type Check, conditionsOn, type Rule } from "@slipway/access"
import type { GuardsOn } from "../Action.ts"
import { answers } from "../answers.ts"
import type { OrganizationFacts, OrganizationUserFacts, TeamFacts, UserFacts } from "../facts/facts.ts"
import { organizationRoles, organizationViewers, rules, teamReaders, userViewers } from "../grants.ts"
import type { ActionStage } from "../order.ts"
import { check, forbidden, memberNotBlocked } from "./check.ts"

const user = conditionsOn<UserFacts>()
const organization = conditionsOn<OrganizationFacts>()
const team = conditionsOn<TeamFacts>()
const organizationUser = conditionsOn<OrganizationUserFacts>()

const organizationVisible = check<OrganizationFacts>(
  "visibility",
  "org-visible",
  "needs to see the organization",
  answers.notFound,
  rules(organizationViewers)
)

const members = rules(organizationRoles, "organization.site-admin", "organization.member")
const owners = rules(organizationRoles, "organization.site-admin", "organization.owner")

const member: Rule<OrganizationFacts> = {
  id: "user.self",
  when: organization.flag("self"),
  because: userViewers["user.self"].because
}

/** The access checks of each guard on an organization. */
export const organizationChecks: Record<
  Exclude<GuardsOn["organization"], GuardsOn["site"]>,
  ReadonlyArray<Check<OrganizationFacts>>
> = {
  "org-visible": [organizationVisible],
  "organization-member": [
    check("role", "organization-member", "is for members of the organization", answers.organizationMember, members)
  ],
  "organization-owner": [
    check("role", "organization-owner", "is for owners of the organization", answers.organizationOwner, owners)
  ],
  "publicizes-own": [check("role", "publicizes-own", "is only for the member", answers.publicizesOwn, [member])],
  "conceals-own": [check("role", "conceals-own", "is only for the member", answers.concealsOwn, [member])],
  "may-create-repository": [
    check(
      "role",
      "may-create-repository",
      "is for owners of the organization and teams that may create repositories",
      answers.mayCreateRepository,
      rules(organizationRoles, "organization.site-admin", "organization.owner", "organization.repository-creator")
    )
  ]
}

/** The access checks of each guard on a user. */
export const userChecks: Record<Exclude<GuardsOn["user"], GuardsOn["site"]>, ReadonlyArray<Check<UserFacts>>> = {
  "user-visible": [check("visibility", "user-visible", "needs to see the user", answers.notFound, rules(userViewers))],
  "is-user": [
    check("visibility", "is-user", "is for users, not organizations", answers.notFound, [
      {
        id: "user.no-organization",
        when: user.not(user.flag("userIsOrganization")),
        because: "organizations do not have this resource"
      }
    ])
  ],
  "not-blocked": [
    check(
      "role",
      "not-blocked",
      "needs users who do not block each other",
      answers.blocked,
      [],
      [
        {
          id: "user.blocked",
          when: user.flag("blocked"),
          because: "users cannot follow each other if one blocks the other"
        }
      ]
    )
  ],
  "self-or-site-admin": [
    check(
      "role",
      "self-or-site-admin",
      "is for the user and site administrators",
      answers.selfOrSiteAdmin,
      rules(userViewers, "user.self", "user.site-admin")
    )
  ]
}

/** The access checks of the guard on an organization and a user. */
export const organizationUserChecks: Record<
  "self-or-member-or-site-admin",
  ReadonlyArray<Check<OrganizationUserFacts>>
> = {
  "self-or-member-or-site-admin": [
    check(
      "role",
      "self-or-member-or-site-admin",
      "is for the named user, members of the organization and site administrators",
      answers.organizationInsider,
      [...members, { id: "user.self", when: organizationUser.flag("self"), because: userViewers["user.self"].because }]
    )
  ]
}

const teamRoles = rules(teamReaders, "team.site-admin", "team.organization-owner", "team.member")

/** Returns the check that responds with 404 to callers who are not members of the organization and match no rule. */
const hiddenFromOthers = (
  stage: ActionStage,
  id: "team-visible" | "team-member",
  admitted: ReadonlyArray<Rule<TeamFacts>>
): Check<TeamFacts> =>
  forbidden(
    stage,
    id,
    answers.notFound,
    "team.hidden",
    team.not(team.any(...admitted.map((rule) => rule.when), team.flag("organizationMember"))),
    "needs to be a member of the organization or a reader of the team"
  )

/** The access checks of each guard on a team. */
export const teamChecks: Record<Exclude<GuardsOn["team"], GuardsOn["site"]>, ReadonlyArray<Check<TeamFacts>>> = {
  "team-visible": [hiddenFromOthers("visibility", "team-visible", rules(teamReaders))],
  "team-readable": [check("role", "team-readable", "needs to see the team", answers.teamMember, rules(teamReaders))],
  "team-member": [
    hiddenFromOthers("role", "team-member", teamRoles),
    check(
      "role",
      "team-member",
      "is for members of the team and owners of the organization",
      answers.teamMember,
      teamRoles
    )
  ],
  "organization-member": [
    check("role", "organization-member", "is for members of the organization", answers.notFound, [
      ...rules(teamReaders, "team.site-admin", "team.organization-owner"),
      {
        id: "organization.member",
        when: team.flag("organizationMember"),
        because: organizationViewers["organization.member"].because
      }
    ])
  ],
  "organization-owner": [
    check(
      "role",
      "organization-owner",
      "is for owners of the organization",
      answers.notFound,
      rules(teamReaders, "team.site-admin", "team.organization-owner")
    )
  ],
  "member-not-blocked": [memberNotBlocked],
  "not-owners-team": [
    forbidden(
      "switch",
      "not-owners-team",
      answers.ownersTeam,
      "team.owners",
      team.flag("ownersTeam"),
      "the Owners team cannot be deleted"
    )
  ]
}
