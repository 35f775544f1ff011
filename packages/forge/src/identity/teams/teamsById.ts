import type { TeamId } from "@slipway/domain/forge/identity"
import { OrganizationStore, type TeamInOrganization, TeamStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** Reads teams by id, without duplicates. */
export const teamsById = Effect.fnUntraced(function* (ids: ReadonlyArray<TeamId>) {
  if (ids.length === 0) return new Map<TeamId, TeamInOrganization>()
  const found = yield* (yield* TeamStore).findMany(ids)
  const organizations = yield* (yield* OrganizationStore).findMany([
    ...new Set([...found.values()].map(({ organizationId }) => organizationId))
  ])
  const entries = [...found.values()].flatMap((team): ReadonlyArray<readonly [TeamId, TeamInOrganization]> => {
    const organization = organizations.get(team.organizationId)
    return organization === undefined ? [] : [[team.id, { team, organization }]]
  })
  return new Map(entries)
})
