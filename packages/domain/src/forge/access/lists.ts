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

/** Extends a list condition so that a caller with a public-only token sees only public resources. */
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
 * The scope category that a token needs to list the contents of a unit across several repositories.
 *
 * Lists with their own requirements are not affected: the runs and jobs of a user need the scope `user`, and those of
 * the site need the scope `admin`.
 */
const unitScopes: { readonly [U in Unit]?: ScopeCategory } = { "repo.actions": "repository" }

const ofScope = (unit: Unit): Condition<RepositoryFacts> => {
  const category = unitScopes[unit]
  return category === undefined ? repository.all() : repository.atLeast(scopeFacts[category], ScopeLevel.read)
}

/** Returns the list condition for repositories in which the caller may read a unit, such as the wiki. */
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
 * The conditions under which each list shows a row, on the facts about the caller and the row.
 *
 * A query replaces the facts about the caller by their values and translates the remaining condition to SQL. Therefore
 * a list contains exactly the rows that the caller can read individually, and its total counts only these.
 */
export const listRules = {
  /** The organizations that the caller may see. */
  organization: forToken(
    seen<MembershipFacts>(organizationViewers),
    organization.is("organizationVisibility", "public")
  ),
  /**
   * The directory of organizations: public ones for everyone, limited ones for signed-in callers, and private ones for
   * site administrators.
   */
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
  /**
   * The teams of one organization: members see their own teams and the limited and public teams, owners and site
   * administrators see all teams, and other users see none.
   */
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
  /** The users that the caller may see. */
  user: forToken(seen<UserFacts>(userViewers), user.is("userVisibility", "public")),
  /** The repositories to which the caller has any access. */
  repository: forToken(repositorySeen, openRepository)
} as const

/**
 * The condition for users in lists and searches. Restricted callers see only themselves and users who share an
 * organization or a repository with them.
 */
export const listedInDirectory: Condition<UserFacts> = user.all(
  listRules.user,
  user.any(user.not(user.flag("restricted")), user.flag("siteAdmin"), user.flag("self"), user.flag("tied"))
)
