import type { PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import { InterestStore, RepositoryNotFound, stars, viewerOn } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"

/** Returns whether the caller starred a repository. */
export const check = Effect.fnUntraced(function* ({ resource }: Proof<"account.starred.check">) {
  const pair = { userId: signedInUser(resource).id, repositoryId: resource.repository.id }
  return (yield* (yield* stars.store).findBy("pair", pair)) !== undefined
})

/** Stars a repository; idempotent. */
export const add = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.starred.add">) {
    const { id: repositoryId, name, owner } = resource.repository
    const userId = signedInUser(resource).id
    const store = yield* stars.store
    yield* Effect.mapError(
      store.insertIfAbsent({ userId, repositoryId, createdAt: yield* now }),
      () => new RepositoryNotFound({ name: `${owner.name}/${name}` })
    )
  })
)

/** Removes the caller's star of a repository, if there is one. */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.starred.remove">) {
    const pair = { userId: signedInUser(resource).id, repositoryId: resource.repository.id }
    yield* (yield* stars.store).removeBy("pair", pair)
  })
)

/** Lists the repositories that the caller starred, as far as the caller can see them now (invariants I7 and I8). */
export const ofSelf = Effect.fnUntraced(function* ({ resource }: Proof<"account.starred.list">, page: PageRequest) {
  const viewer = yield* viewerOn(resource.actor)
  return yield* (yield* InterestStore).repositories(viewer, "star", signedInUser(resource).id, page)
})

/** Lists the repositories that a user starred, as far as the caller can see them now. */
export const ofUser = Effect.fnUntraced(function* (
  { resource: { actor, user } }: Proof<"user.starred.list">,
  page: PageRequest
) {
  return yield* (yield* InterestStore).repositories(yield* viewerOn(actor), "star", user.id, page)
})

/** Lists the users who starred a repository and are visible to the caller. */
export const stargazers = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.stargazer.list">,
  page: PageRequest
) {
  return yield* (yield* InterestStore).users(actor, "star", repository.id, page)
})
