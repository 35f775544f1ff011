import { type Condition, specialise } from "@slipway/access"
import { rulebookOf } from "../../access/decide.ts"
import { noTeamMembership } from "../../access/facts/defaultFacts.ts"
import type { SwitchFacts, TeamFacts } from "../../access/facts/facts.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import type { Viewer } from "../viewers/Viewer.ts"
import { type NamedAccountFacts, noNamedBlocks } from "../visibility/Account.ts"
import { type OrganizationVisibilityFacts, organizationVisibilityFacts } from "../visibility/organizationVisibility.ts"
import type { FoundTeam } from "./Team.ts"

/** The facts about a team and a viewer from which the visibility of the team is decided. */
export type TeamVisibilityFacts = OrganizationVisibilityFacts & Pick<TeamFacts, "teamVisibility" | "teamMember">

/**
 * Returns which teams of an organization are listed for a viewer, as a condition on the facts about a team.
 *
 * Lists show fewer teams than can be read by id (guard `team-readable`): any signed-in user who sees the organization
 * can read a public team, but only its members see it in lists.
 */
export const listedTeams = (viewer: Viewer): Condition<TeamVisibilityFacts> =>
  specialise<TeamFacts>(rulebookOf(viewer.facts).listed("team"), viewer.facts) as Condition<TeamVisibilityFacts>

/** Returns the facts from which the visibility of a team is decided. */
export const teamVisibilityFacts = ({ member, organization, membership, team }: FoundTeam): TeamVisibilityFacts => ({
  ...organizationVisibilityFacts(membership, organization),
  teamVisibility: team.visibility,
  teamMember: member
})

/** Returns the facts for access decisions about a team. A missing team has the same facts as a hidden one. */
export const teamFacts = (
  viewer: Viewer,
  switches: SwitchFacts,
  found: (FoundTeam & NamedAccountFacts) | undefined
): TeamFacts =>
  found === undefined
    ? {
        ...siteFactsOf(switches, viewer.facts),
        siteAdmin: false,
        ...noTeamMembership,
        organizationVisibility: "private",
        teamVisibility: "private",
        ownersTeam: false,
        ...noNamedBlocks
      }
    : {
        ...siteFactsOf(switches, viewer.facts),
        ...teamVisibilityFacts(found),
        ownersTeam: found.team.owners,
        ...(found.named ?? noNamedBlocks)
      }
