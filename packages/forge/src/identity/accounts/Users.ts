import type { PageRequest } from "@slipway/domain"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Viewer } from "@slipway/domain/forge/identity"
import {
  type Actor,
  canSee,
  emails,
  signedInUser,
  type User,
  type UserFilter,
  UserNotFound,
  UserRenamed,
  UserStore
} from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** Reads a user, with the follower counts that the viewer can see. */
export const seen = Effect.fnUntraced(function* (viewer: Viewer, user: Pick<User, "id" | "name">) {
  const found = yield* (yield* UserStore).findMany(viewer, [user.id])
  // The user may have been deleted between the two reads.
  return found.get(user.id) ?? (yield* new UserNotFound({ name: user.name }))
})

/** Reads a user, with the follower counts that the caller can see. */
export const read = ({ resource: { actor, user } }: Proof<"user.read">) => seen(actor, user)

/** Reads the actor's own account. */
export const self = (resource: { readonly actor: Actor }) => {
  const { actor } = resource
  // The route returns the caller, even for a token that sees only public users.
  const viewer: Viewer = { ...actor, facts: { ...actor.facts, publicOnly: false } }
  return seen(viewer, signedInUser(resource))
}

/** Reads the caller's own account. */
export const readSelf = ({ resource }: Proof<"account.read">) => self(resource)

/** Returns the account of the caller without counters. Needs no query. */
export const summaryOfSelf = ({ resource }: Proof<"account.summary.read">): User => signedInUser(resource)

/**
 * Searches users by a part of their names.
 *
 * For site administrators, a complete email address also finds its user, even if the address is not confirmed. Other
 * callers must not learn which user has an address.
 */
export const searchByNameOrAddress = Effect.fnUntraced(function* (
  viewer: Viewer,
  { text = "", ...filter }: UserFilter,
  page: PageRequest
) {
  const users = yield* UserStore
  const known =
    viewer.facts.siteAdmin && !viewer.facts.publicOnly && text.includes("@")
      ? yield* (yield* emails.store).findBy("address", { address: text })
      : undefined
  return yield* users.search(
    viewer,
    known === undefined ? { ...filter, text } : { ...filter, ids: [known.userId] },
    page
  )
})

/** Searches the users that the caller can see, by a part of their names or by id. Sorted by name. */
export const search = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"user.search">,
  filter: Pick<UserFilter, "text" | "id">,
  page: PageRequest
) {
  return yield* searchByNameOrAddress(actor, filter, page)
})

/**
 * Returns whether a viewer can see a user. Whether both share an organization or a repository is queried only if it
 * matters.
 */
export const isVisible = Effect.fnUntraced(function* (
  viewer: Viewer,
  user: Pick<User, "id" | "visibility" | "system">
) {
  if (user.system) return false
  if (canSee(viewer, false)(user) || !canSee(viewer)(user)) return canSee(viewer)(user)
  const { rows } = yield* (yield* UserStore).search(viewer, { ids: [user.id] }, { page: 1, perPage: 1 })
  return rows.length > 0
})

/**
 * Finds a user by the current name. Fails with the same error if the user is missing or hidden from the viewer
 * (invariant I9).
 *
 * If the name is a previous name of a visible user, fails with `UserRenamed`, which contains the current name.
 */
export const findVisibleUser = Effect.fnUntraced(function* (viewer: Viewer, name: string) {
  const found = yield* (yield* UserStore).named(name)
  if (found === undefined || !(yield* isVisible(viewer, found.user))) return yield* new UserNotFound({ name })
  if (found.renamed) return yield* new UserRenamed({ name, present: found.user.name })
  return found.user
})

/**
 * Succeeds if the viewer can see the user, for a removal that found nothing to remove. Fails with `UserNotFound` if the
 * user is hidden (invariant I9).
 *
 * So removal is idempotent, and does not reveal hidden users.
 */
export const ignoreMissing = (viewer: Viewer, user: User) =>
  Effect.flatMap(isVisible(viewer, user), (seen) => (seen ? Effect.void : new UserNotFound({ name: user.name })))

/**
 * Finds a user by name, even if the user is hidden from the caller, who may know the name from before.
 *
 * The caller learns only whether the user exists. The new name of a renamed hidden user is not revealed.
 */
export const findUserUnlessHiddenRename = Effect.fnUntraced(function* (viewer: Viewer, name: string) {
  const found = yield* (yield* UserStore).named(name)
  if (found === undefined || found.user.system || (found.renamed && !(yield* isVisible(viewer, found.user))))
    return yield* new UserNotFound({ name })
  if (found.renamed) return yield* new UserRenamed({ name, present: found.user.name })
  return found.user
})
