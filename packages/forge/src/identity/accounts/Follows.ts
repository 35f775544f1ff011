import type { PageRequest } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import { FollowStore, NotYourself, signedInUser, UserNotFound, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { audited } from "../../base/events/record.ts"
import * as Entry from "../../entry/Entry.ts"
import { findUserUnlessHiddenRename, ignoreMissing, isVisible } from "./Users.ts"

/** Lists the followers of a user; those hidden from the caller are omitted. */
export const followers = Effect.fnUntraced(function* (
  { resource: { actor, user } }: Proof<"user.follower.list">,
  page: PageRequest
) {
  return yield* (yield* FollowStore).followers(actor, user.id, page)
})

/** Lists the users that a user follows; those hidden from the caller are omitted. */
export const following = Effect.fnUntraced(function* (
  { resource: { actor, user } }: Proof<"user.following.list">,
  page: PageRequest
) {
  return yield* (yield* FollowStore).following(actor, user.id, page)
})

/** Lists the followers of the caller. */
export const ownFollowers = Effect.fnUntraced(function* (
  { resource }: Proof<"account.follower.list">,
  page: PageRequest
) {
  return yield* (yield* FollowStore).followers(resource.actor, signedInUser(resource).id, page)
})

/** Lists the users that the caller follows. */
export const ownFollowing = Effect.fnUntraced(function* (
  { resource }: Proof<"account.following.list">,
  page: PageRequest
) {
  return yield* (yield* FollowStore).following(resource.actor, signedInUser(resource).id, page)
})

/** Returns whether a user follows another user; the caller must be able to see both. */
export const isFollowing = Effect.fnUntraced(function* (
  { resource: { actor, user } }: Proof<"user.following.check">,
  name: string
) {
  const found = yield* (yield* UserStore).named(name)
  if (found === undefined || !(yield* isVisible(actor, found.user))) return false
  return yield* (yield* FollowStore).has(user.id, found.user.id)
})

/** Returns whether the caller follows a user. */
export const amFollowing = Effect.fnUntraced(function* ({ resource }: Proof<"account.following.check">) {
  return yield* (yield* FollowStore).has(signedInUser(resource).id, resource.user.id)
})

/**
 * Follows a user as the caller. The user is locked and the permission checked again, because the user may have blocked
 * the caller in the meantime.
 */
export const follow = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.following.add">) {
    const self = signedInUser(resource)
    const { user } = resource
    if (self.id === user.id) return yield* new NotYourself()
    // A concurrent block comes before or after, never in between.
    if ((yield* (yield* UserStore).lock(user.id)) === undefined) return yield* new UserNotFound({ name: user.name })
    yield* Entry.authorizeElsewhere("account.following.add", resource.actor, { kind: "user", name: user.name })
    yield* (yield* FollowStore).add(self.id, user.id)
  })
)

/** Unfollows a user as the caller, even a hidden one. Does nothing if the caller does not follow the user. */
export const unfollow = audited(
  Effect.fnUntraced(function* ({ resource }: Proof<"account.following.remove">, name: string) {
    const user = yield* findUserUnlessHiddenRename(resource.actor, name)
    const removed = yield* (yield* FollowStore).remove(signedInUser(resource).id, user.id)
    if (!removed) yield* ignoreMissing(resource.actor, user)
  }),
  (_, name) => ({ details: { user: name } })
)
