import { type Condition, specialise } from "../../access/Condition.ts"
import type { SwitchFacts, TeamFacts } from "../access/facts.ts"
import { listed } from "../access/lists.ts"
import { noTeamMembership } from "../access/standing.ts"
import type { Viewer } from "../accounts/Actor.ts"
import { type OrganizationSightFacts, organizationSightFacts } from "../organizations/sight.ts"
import type { FoundTeam } from "./Team.ts"

/** The facts of a team that decide who sees it. */
export type TeamSightFacts = OrganizationSightFacts & Pick<TeamFacts, "teamVisibility" | "teamMember">

/** Returns which teams of an organization a viewer sees, as a condition on the facts of each. */
export const teamSightOf = (viewer: Viewer): Condition<TeamSightFacts> =>
  specialise<TeamFacts>(listed.team, viewer.facts) as Condition<TeamSightFacts>

/** Returns what decides who sees a team. */
export const teamSightFacts = ({ member, organization, place, team }: FoundTeam): TeamSightFacts => ({
  ...organizationSightFacts(place, organization),
  teamVisibility: team.visibility,
  teamMember: member
})

/** Returns the facts about a team that decide an action; one that isn't there is one that nobody sees. */
export const teamFacts = (viewer: Viewer, switches: SwitchFacts, found: FoundTeam | undefined): TeamFacts =>
  found === undefined
    ? {
        ...switches,
        ...viewer.facts,
        siteAdmin: false,
        ...noTeamMembership,
        organizationVisibility: "private",
        teamVisibility: "private"
      }
    : { ...switches, ...viewer.facts, ...teamSightFacts(found) }
