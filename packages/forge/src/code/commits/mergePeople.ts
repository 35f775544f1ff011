import { secondsOf } from "@slipway/domain"
import type { RepositoryFacts } from "@slipway/domain/forge/access"
import { allows } from "@slipway/domain/forge/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Ident } from "@slipway/domain/forge/code"
import {
  noRepositoryGrants,
  RepositoryStore,
  type RepositoryWithGrants,
  repositoryFacts
} from "@slipway/domain/forge/code"
import { asViewer } from "@slipway/domain/forge/explanation"
import type { User, Viewer } from "@slipway/domain/forge/identity"
import { noReplyAddress } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/**
 * Reads a repository that is not the one of the request, with the viewer's permissions on it; undefined if it is
 * missing.
 */
export const readOtherRepository = Effect.fnUntraced(function* (viewer: Viewer, id: RepositoryId) {
  const store = yield* RepositoryStore
  if (viewer.userId !== undefined) return yield* store.grantsOf(viewer.userId, id)
  const repository = yield* store.find(id)
  return repository && ({ repository, grants: noRepositoryGrants } satisfies RepositoryWithGrants)
})

/** Returns the facts for access decisions of a viewer on a repository that is not the one of the request. */
export const factsOn = Effect.fnUntraced(function* (viewer: Viewer, id: RepositoryId) {
  const { switches } = yield* SiteSettings
  return repositoryFacts(viewer, switches, yield* readOtherRepository(viewer, id))
})

/** Returns the facts for access decisions of a user on a repository, as if the user sent the request. */
export const factsOfUser = (
  user: User,
  id: RepositoryId
): Effect.Effect<RepositoryFacts, never, RepositoryStore | SiteSettings> => factsOn(asViewer(user), id)

/** Returns whether a viewer may push to a repository, by the same rule as for git clients. */
export const mayPushTo = Effect.fnUntraced(function* (viewer: Viewer, id: RepositoryId) {
  return allows("git.push", yield* factsOn(viewer, id))
})

/**
 * Returns the name and email address of a user for commits. A hidden email address is replaced by a no-reply address.
 */
export const identOf = (user: User, host: string, at: string): Ident => ({
  name: user.fullName === "" ? user.name : user.fullName,
  email: user.hideEmail ? noReplyAddress(user, host) : user.email,
  seconds: secondsOf(at),
  offset: "+0000"
})
