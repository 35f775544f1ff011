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

/** Reads a repository other than that of the request, with the viewer's grants there. */
export const readOtherRepository = Effect.fnUntraced(function* (viewer: Viewer, id: RepositoryId) {
  const store = yield* RepositoryStore
  if (viewer.userId !== undefined) return yield* store.grantsOf(viewer.userId, id)
  const repository = yield* store.find(id)
  return repository && ({ repository, grants: noRepositoryGrants } satisfies RepositoryWithGrants)
})

/** Returns the access facts of a viewer on a repository other than that of the request. */
export const factsOn = Effect.fnUntraced(function* (viewer: Viewer, id: RepositoryId) {
  const { switches } = yield* SiteSettings
  return repositoryFacts(viewer, switches, yield* readOtherRepository(viewer, id))
})

/** Returns the access facts of a user on a repository, as if the user were the caller. */
export const factsOfUser = (
  user: User,
  id: RepositoryId
): Effect.Effect<RepositoryFacts, never, RepositoryStore | SiteSettings> => factsOn(asViewer(user), id)

/** Returns whether a viewer may push to a repository, by the rule that also applies to git clients. */
export const mayPushTo = Effect.fnUntraced(function* (viewer: Viewer, id: RepositoryId) {
  return allows("git.push", yield* factsOn(viewer, id))
})

/** Returns a user's identity for commits; a private email address is replaced by a noreply address. */
export const identOf = (user: User, host: string, at: string): Ident => ({
  name: user.fullName === "" ? user.name : user.fullName,
  email: user.hideEmail ? noReplyAddress(user, host) : user.email,
  seconds: secondsOf(at),
  offset: "+0000"
})
