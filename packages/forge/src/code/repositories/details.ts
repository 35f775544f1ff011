import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Repository } from "@slipway/domain/forge/code"
import {
  emptySummary,
  RepositoryStore,
  type RepositorySummary,
  type RepositoryWithGrants,
  repositoryFacts
} from "@slipway/domain/forge/code"
import type { Organization, OrganizationId, SeenUser, UserId, Viewer } from "@slipway/domain/forge/identity"
import { OrganizationStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { type Offer, offersOf } from "../offers/offers.ts"

/** The owner of a repository, as shown in responses: a user or an organization. */
export type ShownOwner =
  | { readonly kind: "user"; readonly user: SeenUser }
  | { readonly kind: "organization"; readonly organization: Organization }

/** The data that a response shows with a repository, such as its owner and its parent. */
export interface RepositoryDetails {
  readonly owner: ShownOwner
  readonly summary: RepositorySummary
}

/** The data that a response shows with several repositories, such as their owners and parents. */
export interface RepositoriesDetails {
  readonly of: (repository: Repository) => RepositoryDetails | undefined
  /** The parent repositories by id; those that the viewer cannot access are missing. */
  readonly parents: ReadonlyMap<RepositoryId, RepositoryWithGrants>
  readonly offers: ReadonlyMap<RepositoryId, Offer>
}

const idsOf = <Id>(repositories: ReadonlyArray<Repository>, kind: "user" | "organization"): ReadonlyArray<Id> => {
  const ids = new Set<Id>()
  for (const { owner } of repositories) if (owner.kind === kind) ids.add(owner.id as Id)
  return [...ids]
}

/** Reads the data that responses show with repositories and their owners; the queries run concurrently. */
const relatedData = Effect.fnUntraced(function* (viewer: Viewer, repositories: ReadonlyArray<Repository>) {
  const [store, userStore] = [yield* RepositoryStore, yield* UserStore]
  const [summaries, owners] = yield* Effect.all(
    [
      store.summaries(repositories.map(({ id }) => id)),
      userStore.findMany(viewer, idsOf<UserId>(repositories, "user"))
    ],
    { concurrency: 2 }
  )
  // A deleted repository has no summary, but webhook payloads show its owner.
  const deleted = repositories.filter(({ id }) => !summaries.has(id))
  const others = yield* (yield* OrganizationStore).findMany(idsOf<OrganizationId>(deleted, "organization"))
  const ownerOf = ({ id, owner }: Repository): ShownOwner | undefined => {
    if (owner.kind === "organization") {
      const organization = summaries.get(id)?.organization ?? others.get(owner.id)
      return organization && { kind: "organization", organization }
    }
    const user = owners.get(owner.id)
    return user && { kind: "user", user }
  }
  return { summaries, ownerOf }
})

/**
 * Reads the data that responses show with repositories, such as counts and parents. The number of queries does not
 * depend on the number of repositories.
 */
export const detailsOf = Effect.fnUntraced(function* (viewer: Viewer, held: ReadonlyArray<RepositoryWithGrants>) {
  const own = yield* relatedData(
    viewer,
    held.map(({ repository }) => repository)
  )
  const known = held.flatMap((each) => {
    const summary = own.summaries.get(each.repository.id)
    return summary === undefined ? [] : [{ each, summary }]
  })
  const offers = yield* offersOf(
    viewer,
    known.flatMap(({ each, summary }) => (summary.offered ? [each] : []))
  )
  const parents = yield* parentsOf(
    viewer,
    new Map(
      known.flatMap(({ each, summary }) => (summary.parentId === null ? [] : [[each.repository.id, summary.parentId]]))
    )
  )
  const above = [...parents.values()].map(({ repository }) => repository)
  const others = above.length === 0 ? own : yield* relatedData(viewer, above)
  const of = (repository: Repository) => {
    const summary = own.summaries.get(repository.id) ?? others.summaries.get(repository.id) ?? emptySummary
    const owner = own.ownerOf(repository) ?? others.ownerOf(repository)
    return owner && { summary, owner }
  }
  return { of, parents, offers } satisfies RepositoriesDetails
})

/** Returns the parent repository of each fork, if the viewer has access to it. */
const parentsOf = Effect.fnUntraced(function* (viewer: Viewer, ids: ReadonlyMap<RepositoryId, RepositoryId>) {
  const parents = new Map<RepositoryId, RepositoryWithGrants>()
  if (ids.size === 0) return parents
  const { switches } = yield* SiteSettings
  const held = yield* (yield* RepositoryStore).heldOn(viewer.userId, [...ids.values()])
  for (const [id, parentId] of ids) {
    const parent = held.get(parentId)
    const isSeen = parent !== undefined && allows("repository.read", repositoryFacts(viewer, switches, parent))
    if (isSeen) parents.set(id, parent)
  }
  return parents
})
