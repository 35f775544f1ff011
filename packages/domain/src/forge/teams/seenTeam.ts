import { Effect } from "effect"
import { compile } from "../../access/Condition.ts"
import type { Viewer } from "../accounts/Viewer.ts"
import { MemberStore } from "../organizations/MemberStore.ts"
import type { Organization } from "../organizations/Organization.ts"
import type { Team } from "./Team.ts"
import { teamVisibilityFacts, visibleTeams } from "./visibility.ts"

/** Tells whether a viewer sees a team of an organization, as the list of its teams would. */
export const seesTeam = Effect.fnUntraced(function* (viewer: Viewer, organization: Organization, team: Team) {
  const { userId } = viewer
  const held = userId === undefined ? undefined : yield* (yield* MemberStore).find(organization.id, userId)
  const mine = held?.teams ?? []
  const facts = teamVisibilityFacts({
    team,
    organization,
    membership: { member: mine.length > 0, owner: mine.some((each) => each.owners), mayCreateRepositories: false },
    member: mine.some(({ id }) => id === team.id)
  })
  return compile(visibleTeams(viewer))(facts)
})
