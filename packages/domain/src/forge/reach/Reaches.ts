import { Effect } from "effect"
import type { Page, PageRequest } from "../../Page.ts"
import type { Actor, Proof } from "../accounts/Actor.ts"
import { sees } from "../accounts/sight.ts"
import { UserNotFound } from "../accounts/User.ts"
import { tiedByName } from "../accounts/Users.ts"
import { MemberStore } from "../organizations/MemberStore.ts"
import type { Organization, Place } from "../organizations/Organization.ts"
import { RepositoryStore } from "../repositories/RepositoryStore.ts"
import { SiteSettings } from "../settings/SiteSettings.ts"
import { asViewer, type Reach, reachOf, type Tie } from "./Reach.ts"
import { type People, ReachStore } from "./ReachStore.ts"

/** Lists what ties a user to the repositories of an organization that they have access to. */
export const tiesWithin = Effect.fnUntraced(function* (
  user: Tie["user"],
  organization: Pick<Organization, "id">,
  page: PageRequest
) {
  const { switches } = yield* SiteSettings
  const viewer = { ...asViewer(user), switches }
  const { rows, total } = yield* (yield* RepositoryStore).list(viewer, { owner: organization.id }, page)
  const pairs = rows.map(({ repository }) => ({ user: user.id, repository: repository.id }))
  const ties: Page<Tie> = { rows: yield* (yield* ReachStore).tiesOf(pairs), total }
  return ties
})

const reached = Effect.fnUntraced(function* ({ rows, total }: Page<Tie>) {
  const { switches } = yield* SiteSettings
  const page: Page<Reach> = { rows: rows.map((tie) => reachOf(switches, tie)), total }
  return page
})

/**
 * Lists the repositories of an organization that a user has access to, with the level on each unit and what gives it.
 *
 * Owners ask it of their members, also of those whom they don't see, and of everybody whom they see.
 */
export const ofUser = Effect.fnUntraced(function* (
  { resource: { actor, organization } }: Proof<"organization.member.access">,
  name: string,
  page: PageRequest
) {
  const user = yield* tiedByName(actor, name)
  if (!sees(actor)(user) && (yield* (yield* MemberStore).find(organization.id, user.id)) === undefined) {
    return yield* new UserNotFound({ name })
  }
  return yield* reached(yield* tiesWithin(user, organization, page))
})

/** Returns whose names whoever acts may be told: owners know all who are tied to their organization. */
export const knownTo = (actor: Actor, place: Pick<Place, "owner">): Pick<People, "seenBy"> =>
  actor.facts.siteAdmin || place.owner ? {} : { seenBy: actor }

/**
 * Lists the people who are tied to a repository, with their level on each unit and what gives it: its owner, owners of
 * its organization, members of teams that hold it, and collaborators.
 */
export const ofRepository = Effect.fnUntraced(function* (
  { resource: { actor, holding, repository } }: Proof<"repository.access.list">,
  page: PageRequest
) {
  const people: People = { kind: "repository", id: repository.id, membersToo: false, ...knownTo(actor, holding.place) }
  return yield* reached(yield* (yield* ReachStore).ties(people, { kind: "repository", id: repository.id }, page))
})
