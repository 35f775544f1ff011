import { compile } from "@slipway/access"
import type { Organization, Team, Viewer } from "@slipway/domain/forge/identity"
import { listedTeams, MemberStore, teamVisibilityFacts } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** Returns whether a viewer sees a team of an organization in lists. */
export const isListedTeam = Effect.fnUntraced(function* (viewer: Viewer, organization: Organization, team: Team) {
  const { userId } = viewer
  const held = userId === undefined ? undefined : yield* (yield* MemberStore).find(organization.id, userId)
  const mine = held?.teams ?? []
  const facts = teamVisibilityFacts({
    team,
    organization,
    membership: { member: mine.length > 0, owner: mine.some((each) => each.owners), mayCreateRepositories: false },
    member: mine.some(({ id }) => id === team.id)
  })
  return compile(listedTeams(viewer))(facts)
})
