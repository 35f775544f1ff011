import type { PageRequest } from "@slipway/domain"
import { now } from "@slipway/domain"
import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  InterestStore,
  type Repository,
  RepositoryNotFound,
  viewerOn,
  type Watch,
  watches
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import type { UserId } from "@slipway/domain/forge/identity"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"

/** A user's watch of a repository, with the repository. */
export interface WatchOf {
  readonly watch: Watch
  readonly repository: Repository
}

/** Reads the caller's watch of a repository; undefined if there is none. */
export const read = Effect.fnUntraced(function* ({ resource }: Proof<"repository.subscription.read">) {
  const { repository } = resource
  const pair = { userId: signedInUser(resource).id, repositoryId: repository.id }
  const watch = yield* (yield* watches.store).findBy("pair", pair)
  return watch?.watching === true ? ({ watch, repository } satisfies WatchOf) : undefined
})

const set = Effect.fnUntraced(function* (userId: UserId, repository: Repository, watching: boolean) {
  const store = yield* watches.store
  const pair = { userId, repositoryId: repository.id }
  const missing = () => new RepositoryNotFound({ name: `${repository.owner.name}/${repository.name}` })
  const createdAt = yield* now
  yield* Effect.mapError(store.insertIfAbsent({ ...pair, watching, createdAt }), missing)
  const present = yield* store.findBy("pair", pair)
  if (present === undefined) return yield* missing()
  if (present.watching === watching) return present
  const changed = yield* Effect.mapError(store.patch({ userId }, present.id, { watching, createdAt }), missing)
  return changed ?? (yield* missing())
})

/** Makes the caller watch a repository: the caller is notified of all its issues and pull requests. */
export const add = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"repository.subscription.add">) {
    const { repository } = resource
    return { watch: yield* set(signedInUser(resource).id, repository, true), repository } satisfies WatchOf
  })
)

/** Makes a user stop watching a repository, in the running transaction; returns whether the user was watching it. */
export const unwatch = Effect.fnUntraced(function* (userId: UserId, repository: Repository) {
  const present = yield* (yield* watches.store).findBy("pair", { userId, repositoryId: repository.id })
  if (present?.watching !== true) return false
  yield* Effect.orDie(set(userId, repository, false))
  return true
})

/**
 * Ends the caller's watch of a repository. The choice is stored, so that the repository is not watched again
 * automatically.
 */
export const remove = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"repository.subscription.remove">) {
    yield* set(signedInUser(resource).id, resource.repository, false)
  })
)

/**
 * Makes a user watch a repository that the user created or contributed to, in the current transaction. Does nothing if
 * the user stopped watching it before.
 */
export const begin = Effect.fnUntraced(function* (userId: UserId, repositoryId: RepositoryId) {
  yield* Effect.orDie(
    (yield* watches.store).insertIfAbsent({ userId, repositoryId, watching: true, createdAt: yield* now })
  )
})

/** Lists the repositories that the caller watches, as far as the caller can see them now (invariants I7 and I8). */
export const ofSelf = Effect.fnUntraced(function* (
  { resource }: Proof<"account.subscription.list">,
  page: PageRequest
) {
  const viewer = yield* viewerOn(resource.actor)
  return yield* (yield* InterestStore).repositories(viewer, "watch", signedInUser(resource).id, page)
})

/** Lists the repositories that a user watches, as far as the caller can see them now. */
export const ofUser = Effect.fnUntraced(function* (
  { resource: { actor, user } }: Proof<"user.subscription.list">,
  page: PageRequest
) {
  return yield* (yield* InterestStore).repositories(yield* viewerOn(actor), "watch", user.id, page)
})

/** Lists the users who watch a repository and are visible to the caller. */
export const watchers = Effect.fnUntraced(function* (
  { resource: { actor, repository } }: Proof<"repository.subscriber.list">,
  page: PageRequest
) {
  return yield* (yield* InterestStore).users(actor, "watch", repository.id, page)
})
