import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import { type RepositoryWithGrants, repositoryFacts, transfers } from "@slipway/domain/forge/code"
import type { Organization, SeenUser, TeamInOrganization, UserId, Viewer } from "@slipway/domain/forge/identity"
import { OrganizationStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { teamsById } from "../../identity/teams/teamsById.ts"

/** A pending transfer of a repository to another owner, as the API returns it. */
export interface Offer {
  readonly doer: SeenUser
  readonly to:
    | { readonly kind: "user"; readonly user: SeenUser }
    | { readonly kind: "organization"; readonly organization: Organization }
  readonly teams: ReadonlyArray<TeamInOrganization>
}

/** Reads the pending transfers of repositories. Only repository administrators and recipients see a transfer. */
export const offersOf = Effect.fnUntraced(function* (viewer: Viewer, held: ReadonlyArray<RepositoryWithGrants>) {
  const offers = new Map<RepositoryId, Offer>()
  if (viewer.userId === undefined || held.length === 0) return offers
  const ids = held.map(({ repository }) => repository.id)
  const found = [...(yield* (yield* transfers.store).listFor("repositoryId", ids, 1)).values()].flat()
  const { switches } = yield* SiteSettings
  const seen = found.filter(({ repositoryId, userId }) => {
    const repository = held.find((each) => each.repository.id === repositoryId)
    return userId === viewer.userId || allows("repository.edit", repositoryFacts(viewer, switches, repository))
  })
  if (seen.length === 0) return offers
  const people = seen.flatMap(({ doerId, userId }) =>
    [doerId, userId].flatMap((id): ReadonlyArray<UserId> => (id === null ? [] : [id]))
  )
  const users = yield* (yield* UserStore).findMany(viewer, people)
  const organizations = yield* (yield* OrganizationStore).findMany(seen.flatMap((row) => row.organizationId ?? []))
  const teams = yield* teamsById(seen.flatMap(({ teamIds }) => teamIds))
  for (const { doerId, organizationId, repositoryId, teamIds, userId } of seen) {
    const user = userId === null ? undefined : users.get(userId)
    const organization = organizationId === null ? undefined : organizations.get(organizationId)
    const to = user
      ? ({ kind: "user", user } as const)
      : organization && ({ kind: "organization", organization } as const)
    const doer = doerId === null ? undefined : users.get(doerId)
    if (to === undefined || doer === undefined) continue
    offers.set(repositoryId, { doer, to, teams: teamIds.flatMap((id) => teams.get(id) ?? []) })
  }
  return offers
})
