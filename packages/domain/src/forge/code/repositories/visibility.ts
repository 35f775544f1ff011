import { type Condition, conditionsOn, Level, specialise } from "@slipway/access"
import { Effect } from "effect"
import { memoize } from "../../../memoize.ts"
import { rulebookOf } from "../../access/decide.ts"
import type { RepositoryFacts, SiteFacts, SwitchFacts, unitFacts } from "../../access/facts/facts.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import type { Unit } from "../../access/facts/Unit.ts"
import { SiteSettings } from "../../base/settings/SiteSettings.ts"
import type { Viewer } from "../../identity/viewers/Viewer.ts"

/** The viewer of repositories, on a site that may require a second factor and may have custom rules. */
export interface RepositoryViewer extends Viewer {
  readonly switches: SwitchFacts
}

/** The facts that decide the visibility of a repository. */
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

/** The facts that decide who can read the contents of a repository's unit. */
export type UnitVisibilityFacts = RepositoryVisibilityFacts &
  Pick<RepositoryFacts, (typeof unitFacts)[Unit]["team" | "on"]>

/** Returns the repositories with a unit that a viewer may read, as a condition on the facts of each. */
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

/** Returns the repositories that a viewer has any access to, as a condition on the facts of each. */
export const visibleRepositories = ({ facts, switches }: RepositoryViewer): Condition<RepositoryVisibilityFacts> =>
  visible(siteFactsOf(switches, facts))

const { any, atLeast, flag } = conditionsOn<RepositoryVisibilityFacts>()

/** The repositories on which a user has grants beyond those of all users. */
export const reachedRepositories: Condition<RepositoryVisibilityFacts> = any(
  flag("repositoryOwner"),
  flag("organizationOwner"),
  flag("teamAdmin"),
  atLeast("teamAny", Level.read),
  atLeast("collaborator", Level.read)
)

/** Returns a viewer with the switches of this site, as needed for decisions about repositories. */
export const viewerOn = (viewer: Viewer): Effect.Effect<RepositoryViewer, never, SiteSettings> =>
  Effect.map(SiteSettings, ({ switches }) => ({ ...viewer, switches }))
