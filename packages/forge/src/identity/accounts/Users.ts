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
  // Between the two readings the user may have gone.
  return found.get(user.id) ?? (yield* new UserNotFound({ name: user.name }))
})

/** Reads a user, with the numbers of follows that the caller may see. */
export const read = ({ resource: { actor, user } }: Proof<"user.read">) => seen(actor, user)

/** Reads whoever acts, as they see themselves. */
export const self = (resource: { readonly actor: Actor }) => {
  const { actor } = resource
  // The route is about the caller, also for a token that sees nothing but public users.
  const viewer: Viewer = { ...actor, facts: { ...actor.facts, publicOnly: false } }
  return seen(viewer, signedInUser(resource))
}

/** Reads the caller. */
export const readSelf = ({ resource }: Proof<"account.read">) => self(resource)

/**
 * Searches users by a part of their names. For site administrators, a whole email address finds its user too, confirmed or
 * not: others must not learn whose an address is.
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

/** Searches the users that the caller sees, by a part of their names or by number; their names order them. */
export const search = Effect.fnUntraced(function* (
  { resource: { actor } }: Proof<"user.search">,
  filter: Pick<UserFilter, "text" | "id">,
  page: PageRequest
) {
  return yield* searchByNameOrAddress(actor, filter, page)
})

/** Tells whether a viewer sees a user whom a request names; whether both are tied is looked up where it matters alone. */
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
 * A hidden user is as missing as one who isn't there (invariant I9), and so is the present name of one who was renamed.
 */
export const findVisibleUser = Effect.fnUntraced(function* (viewer: Viewer, name: string) {
  const found = yield* (yield* UserStore).named(name)
  if (found === undefined || !(yield* isVisible(viewer, found.user))) return yield* new UserNotFound({ name })
  if (found.renamed) return yield* new UserRenamed({ name, present: found.user.name })
  return found.user
})

/**
 * Passes over that nothing was there to take from a user whom the viewer sees; a hidden one is missing (invariant I9).
 *
 * Repeating is harmless, and tells nothing of those whom the viewer has nothing to do with.
 */
export const passOver = (viewer: Viewer, user: User) =>
  Effect.flatMap(isVisible(viewer, user), (seen) => (seen ? Effect.void : new UserNotFound({ name: user.name })))

/**
 * Finds a user whom the caller may know from before, by name, whether or not the caller still sees them.
 *
 * The caller is only told whether they know that user; the new name of a hidden user stays hidden.
 */
export const findUserUnlessHiddenRename = Effect.fnUntraced(function* (viewer: Viewer, name: string) {
  const found = yield* (yield* UserStore).named(name)
  if (found === undefined || found.user.system || (found.renamed && !(yield* isVisible(viewer, found.user))))
    return yield* new UserNotFound({ name })
  if (found.renamed) return yield* new UserRenamed({ name, present: found.user.name })
  return found.user
})
