import { Level } from "@slipway/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore, transfers } from "@slipway/domain/forge/code"
import { Effect } from "effect"

/**
 * Takes an offer of a repository back in the running transaction, and answers what it was; nothing where there is none.
 *
 * What it let a user read ends with it (invariant I7); a level that they were given since stays theirs.
 */
export const withdraw = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  const gone = yield* (yield* transfers.store).removeBy("repository", { repositoryId })
  if (gone === undefined || !gone.lent || gone.userId === null) return gone
  const repositories = yield* RepositoryStore
  if ((yield* repositories.collaborator(repositoryId, gone.userId)) === Level.read) {
    yield* repositories.removeCollaborator(repositoryId, gone.userId)
  }
  return gone
})
