import { type Condition, conditionsOn, Level, specialise } from "@slipway/access"
import { Effect } from "effect"
import { memoize } from "../../../memoize.ts"
import type { ActionName, KindOf } from "../../access/actions.ts"
import { policyOf, rulebookOf } from "../../access/decide.ts"
import { type RepositoryFacts, type SiteFacts, type SwitchFacts, unitFacts } from "../../access/facts/facts.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import { type Unit, unitKeys } from "../../access/facts/Unit.ts"
import { SiteSettings } from "../../base/settings/SiteSettings.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"
import { noNamedBlocks } from "../../identity/visibility/Account.ts"

/** A viewer (the caller of a read) with the settings of the site, which decide which repositories the viewer sees. */
export interface RepositoryViewer extends Viewer {
  readonly switches: SwitchFacts
}

/** The facts (inputs of access rules) about a repository that decide whether a viewer sees it. */
export type RepositoryVisibilityFacts = Pick<
  RepositoryFacts,
  | "private"
  | "ownerVisibility"
  | "organizationMember"
  | "organizationOwner"
  | "repositoryOwner"
  | "collaborator"
  | "taskLevel"
  | "teamAdmin"
  | "teamAny"
>

/** The facts (inputs of access rules) that decide whether a viewer may read a unit of a repository. */
export type UnitVisibilityFacts = RepositoryVisibilityFacts &
  Pick<RepositoryFacts, (typeof unitFacts)[Unit]["team" | "on"]>

/** The facts (inputs of access rules) about a repository that decide whether a viewer may perform an action on it. */
export type RepositoryActionFacts = UnitVisibilityFacts & Pick<RepositoryFacts, "archived" | "blocked" | "mirror">

/** The name of an action on a repository, such as `repository.edit`. */
export type RepositoryAction = { [A in ActionName]: KindOf<A> extends "repository" ? A : never }[ActionName]

/**
 * Returns the condition for repositories on which a viewer may perform an action. It omits branches to which a user may
 * push only through a pull request.
 */
export const repositoriesAllowing = (
  { facts, switches }: RepositoryViewer,
  action: RepositoryAction
): Condition<RepositoryActionFacts> =>
  specialise<RepositoryFacts>(policyOf(action, switches).condition, {
    ...siteFactsOf(switches, facts),
    ...noNamedBlocks,
    lent: false
  }) as Condition<RepositoryActionFacts>

/** Returns the list condition for repositories in which a viewer may read a unit, such as the wiki. */
export const readableUnit = ({ facts, switches }: RepositoryViewer, unit: Unit): Condition<UnitVisibilityFacts> =>
  specialise<RepositoryFacts>(
    rulebookOf(switches).listedUnit(unit),
    siteFactsOf(switches, facts)
  ) as Condition<UnitVisibilityFacts>

const visible = memoize(
  (site: SiteFacts) =>
    specialise<RepositoryFacts>(rulebookOf(site).listed("repository"), site) as Condition<RepositoryVisibilityFacts>,
  1_000
)

/** Returns the list condition for repositories to which a viewer has any access. */
export const visibleRepositories = ({ facts, switches }: RepositoryViewer): Condition<RepositoryVisibilityFacts> =>
  visible(siteFactsOf(switches, facts))

const { any, atLeast, flag } = conditionsOn<RepositoryVisibilityFacts>()

const unreached = {
  repositoryOwner: false,
  organizationOwner: false,
  teamAdmin: false,
  teamAny: Level.none,
  collaborator: Level.none,
  // The level of a team on a disabled unit allows nothing.
  ...(Object.fromEntries(unitKeys.map((unit) => [unitFacts[unit].team, Level.none])) as Pick<
    UnitVisibilityFacts,
    (typeof unitFacts)[Unit]["team"]
  >)
} satisfies Partial<RepositoryActionFacts>

/** Returns a condition on repositories on which the viewer has only the permissions that every user has. */
export const withoutGrants = (condition: Condition<RepositoryActionFacts>): Condition<RepositoryActionFacts> =>
  specialise(condition, unreached)

/**
 * Returns whether a condition is true only for repositories on which the viewer has permissions that not every user has,
 * so that a query needs to read no others.
 */
export const needsGrant = (condition: Condition<RepositoryActionFacts>): boolean => {
  const rest = withoutGrants(condition)
  return rest.op === "any" && rest.of.length === 0
}

/** The list condition for repositories on which a user has permissions that not every user has. */
export const reachedRepositories: Condition<RepositoryVisibilityFacts> = any(
  flag("repositoryOwner"),
  flag("organizationOwner"),
  flag("teamAdmin"),
  atLeast("teamAny", Level.read),
  atLeast("collaborator", Level.read)
)

/** Adds the settings of the site to a viewer, which decisions about repositories need. */
export const viewerOn = (viewer: Viewer): Effect.Effect<RepositoryViewer, never, SiteSettings> =>
  Effect.map(SiteSettings, ({ switches }) => ({ ...viewer, switches }))
