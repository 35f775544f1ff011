import { type Condition, specialise } from "@slipway/access"
import { rulebookOf } from "../../access/decide.ts"
import { noTeamMembership } from "../../access/facts/defaultFacts.ts"
import type { SwitchFacts, TeamFacts } from "../../access/facts/facts.ts"
import { siteFactsOf } from "../../access/facts/siteFacts.ts"
import type { Viewer } from "../viewers/Viewer.ts"
import { type NamedAccountFacts, noNamedBlocks } from "../visibility/Account.ts"
import { type OrganizationVisibilityFacts, organizationVisibilityFacts } from "../visibility/organizationVisibility.ts"
import type { FoundTeam } from "./Team.ts"

/** The facts that decide the visibility of a team. */
export type TeamVisibilityFacts = OrganizationVisibilityFacts & Pick<TeamFacts, "teamVisibility" | "teamMember">

/**
 * Returns the teams of an organization in a viewer's lists, as a condition on the facts of each.
 *
 * Narrower than reading a team by id (guard `team-readable`): a public team is readable by any signed-in user who sees the
 * organization, and listed for its members.
 */
export const listedTeams = (viewer: Viewer): Condition<TeamVisibilityFacts> =>
  specialise<TeamFacts>(rulebookOf(viewer.facts).listed("team"), viewer.facts) as Condition<TeamVisibilityFacts>

/** Returns the facts that decide the visibility of a team. */
export const teamVisibilityFacts = ({ member, organization, membership, team }: FoundTeam): TeamVisibilityFacts => ({
  ...organizationVisibilityFacts(membership, organization),
  teamVisibility: team.visibility,
  teamMember: member
})

/** Returns the facts about a team that decide an action; a missing team has those of a hidden one. */
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
