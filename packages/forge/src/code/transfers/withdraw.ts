import { Level } from "@slipway/access"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { RepositoryStore, transfers } from "@slipway/domain/forge/code"
import { Effect } from "effect"

/**
 * Withdraws a pending transfer in the current transaction, and returns it; undefined if there is none.
 *
 * The recipient loses the read access that the transfer gave (invariant I7), unless access was granted separately in
 * the meantime.
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
