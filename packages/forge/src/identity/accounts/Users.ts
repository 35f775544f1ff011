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

/** Reads a user as the viewer sees them. */
export const seen = Effect.fnUntraced(function* (viewer: Viewer, user: Pick<User, "id" | "name">) {
  const found = yield* (yield* UserStore).findMany(viewer, [user.id])
  // The user may have been deleted between the two reads.
  return found.get(user.id) ?? (yield* new UserNotFound({ name: user.name }))
})

/** Reads a user, with the follower counts that the caller may see. */
export const read = ({ resource: { actor, user } }: Proof<"user.read">) => seen(actor, user)

/** Returns the actor's own account. */
export const self = (resource: { readonly actor: Actor }) => {
  const { actor } = resource
  // The route returns the caller, even for a token that sees only public users.
  const viewer: Viewer = { ...actor, facts: { ...actor.facts, publicOnly: false } }
  return seen(viewer, signedInUser(resource))
}

/** Reads the caller. */
export const readSelf = ({ resource }: Proof<"account.read">) => self(resource)

/**
 * Searches users by a part of their names.
 *
 * For site administrators, a full email address also finds its user, confirmed or not; other callers must not learn the
 * owner of an address.
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

/** Searches the users that the caller sees, by a part of their names or by id; sorted by name. */
export const search = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"user.search">,
  filter: Pick<UserFilter, "text" | "id">,
  page: PageRequest
) {
  return yield* searchByNameOrAddress(actor, filter, page)
})

/** Returns whether a viewer sees a named user; queries their relation only if needed. */
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
 * Finds a user that the viewer sees, by name.
 *
 * A hidden user is reported as missing (invariant I9), like the current name of a renamed one.
 */
export const findVisibleUser = Effect.fnUntraced(function* (viewer: Viewer, name: string) {
  const found = yield* (yield* UserStore).named(name)
  if (found === undefined || !(yield* isVisible(viewer, found.user))) return yield* new UserNotFound({ name })
  if (found.renamed) return yield* new UserRenamed({ name, present: found.user.name })
  return found.user
})

/**
 * Succeeds if there was nothing to remove from a visible user; a hidden user is reported as missing (invariant I9).
 *
 * Makes removal idempotent without disclosing unrelated users.
 */
export const ignoreMissing = (viewer: Viewer, user: User) =>
  Effect.flatMap(isVisible(viewer, user), (seen) => (seen ? Effect.void : new UserNotFound({ name: user.name })))

/**
 * Finds a user by name, even a hidden one that the caller may know from before.
 *
 * The caller learns only whether that user exists; the new name of a hidden user stays hidden.
 */
export const findUserUnlessHiddenRename = Effect.fnUntraced(function* (viewer: Viewer, name: string) {
  const found = yield* (yield* UserStore).named(name)
  if (found === undefined || found.user.system || (found.renamed && !(yield* isVisible(viewer, found.user))))
    return yield* new UserNotFound({ name })
  if (found.renamed) return yield* new UserRenamed({ name, present: found.user.name })
  return found.user
})
