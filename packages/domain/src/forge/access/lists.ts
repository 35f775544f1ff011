import { type Condition, conditionsOn, Level } from "@slipway/access"
import {
  type CallerFacts,
  type MembershipFacts,
  type RepositoryFacts,
  scopeFacts,
  type TeamFacts,
  type UserFacts,
  unitFacts
} from "./facts/facts.ts"
import { type ScopeCategory, ScopeLevel } from "./facts/Scope.ts"
import type { Unit } from "./facts/Unit.ts"
import { publicOnlyUnless, repositoryForbids } from "./forbids.ts"
import { givesOnRepository, organizationViewers, teamReaders, userViewers } from "./grants.ts"

const organization = conditionsOn<MembershipFacts>()
const team = conditionsOn<TeamFacts>()
const user = conditionsOn<UserFacts>()
const repository = conditionsOn<RepositoryFacts>()

const seen = <F>(table: Readonly<Record<string, { readonly when: Condition<F> }>>): Condition<F> => ({
  op: "any",
  of: Object.values(table).map((rule) => rule.when)
})

/** Adds to a condition that a public-only token sees only public resources. */
const forToken = <F>(condition: Condition<F>, isPublic: Condition<F>): Condition<F & CallerFacts> => ({
  op: "all",
  of: [condition, { op: "not", of: publicOnlyUnless(isPublic).when }]
})

const notStopped = repository.not(repositoryForbids["repository.second-factor"].when)

const repositorySeen = repository.all(repository.any(...givesOnRepository(1).map((rule) => rule.when)), notStopped)

const openRepository = repository.all(
  repository.not(repository.flag("private")),
  repository.is("ownerVisibility", "public")
)

/**
 * The scope that a token needs to list the contents of a unit across repositories.
 *
 * Other scopes suffice for some of these lists: a user's runs and jobs need the scope of users, and the site's that of
 * administrators.
 */
const unitScopes: { readonly [U in Unit]?: ScopeCategory } = { "repo.actions": "repository" }

const ofScope = (unit: Unit): Condition<RepositoryFacts> => {
  const category = unitScopes[unit]
  return category === undefined ? repository.all() : repository.atLeast(scopeFacts[category], ScopeLevel.read)
}

/** Returns the condition for repositories with a unit that the caller may read. */
export const listedUnit = (unit: Unit): Condition<RepositoryFacts> =>
  forToken(
    repository.all(
      ofScope(unit),
      repository.flag(unitFacts[unit].on),
      repository.any(...givesOnRepository(Level.read, unit).map((rule) => rule.when)),
      notStopped
    ),
    openRepository
  )

/**
 * The rows that each list shows, as conditions on the facts of a row.
 *
 * A query evaluates the facts about the caller in advance and compiles the rest to SQL. So a list shows exactly the
 * rows that the caller could read individually, and its total counts only these.
 */
export const listRules = {
  /** Organizations visible to the caller. */
  organization: forToken(
    seen<MembershipFacts>(organizationViewers),
    organization.is("organizationVisibility", "public")
  ),
  /** The directory of organizations: limited ones for signed-in callers, private ones only for site administrators. */
  organizationDirectory: organization.all(
    seen<MembershipFacts>(organizationViewers),
    organization.any(
      organization.is("organizationVisibility", "public"),
      organization.all(
        organization.not(organization.flag("publicOnly")),
        organization.any(
          organization.all(organization.is("organizationVisibility", "limited"), organization.flag("signedIn")),
          organization.flag("siteAdmin")
        )
      )
    )
  ),
  /** Teams of one organization: members get their own teams and the limited and public ones, other users none. */
  team: forToken(
    team.any(
      team.flag("siteAdmin"),
      team.flag("organizationOwner"),
      team.flag("teamMember"),
      team.all(
        team.flag("organizationMember"),
        team.any(teamReaders["team.limited"].when, team.is("teamVisibility", "public"))
      )
    ),
    team.is("organizationVisibility", "public")
  ),
  /** Users visible to the caller. */
  user: forToken(seen<UserFacts>(userViewers), user.is("userVisibility", "public")),
  /** Repositories that the caller has any access to. */
  repository: forToken(repositorySeen, openRepository)
} as const

/** The users shown in lists and searches; restricted users see only themselves and users tied to them. */
export const listedInDirectory: Condition<UserFacts> = user.all(
  listRules.user,
  user.any(user.not(user.flag("restricted")), user.flag("siteAdmin"), user.flag("self"), user.flag("tied"))
)
