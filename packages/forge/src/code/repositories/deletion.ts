import { Transaction } from "@slipway/domain"
import type { Work } from "@slipway/domain/forge/background"
import type { RepositoryId } from "@slipway/domain/forge/base"
import { GitRepositories, RepositoryStore, removeAvatars, wikiOf } from "@slipway/domain/forge/code"
import type { OwnerId } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { addJob } from "../../base/jobs/addJob.ts"
import { Subscribers } from "../../base/subscribers/Subscribers.ts"

/** The number of repositories that are deleted in one run of the job, to keep each run short. */
export const batch = 20

/** Removes the git repositories of a repository and its wiki. */
export const removeGit = Effect.fnUntraced(function* (repositoryId: RepositoryId) {
  const git = yield* GitRepositories
  yield* git.remove(repositoryId)
  yield* git.remove(wikiOf(repositoryId))
})

/**
 * Deletes a repository in the current transaction. A job deletes its git repository afterwards.
 *
 * If `owner` is given, nothing is deleted if the repository now belongs to another owner.
 */
export const deleteRepository = Effect.fnUntraced(function* (repositoryId: RepositoryId, owner?: OwnerId) {
  if (owner !== undefined) {
    const present = yield* (yield* RepositoryStore).lock(repositoryId)
    if (present?.owner.id !== owner) return undefined
  }
  yield* removeAvatars([repositoryId])
  yield* (yield* Subscribers).repositoriesLeaving([repositoryId])
  if (!(yield* (yield* RepositoryStore).remove(repositoryId))) return undefined
  return yield* addJob({ _tag: "RemoveGit", repositoryId })
})

/** Deletes all repositories of an owner in the current transaction. Jobs delete their git repositories afterwards. */
export const deleteRepositoriesOf = Effect.fnUntraced(function* (owner: OwnerId) {
  const repositories = yield* RepositoryStore
  const last = yield* repositories.lastIdOf(owner)
  if (last === undefined) return
  const ids = yield* repositories.idsOf(owner, last, Number.MAX_SAFE_INTEGER)
  yield* removeAvatars(ids)
  yield* (yield* Subscribers).repositoriesLeaving(ids)
  const repositoryIds = yield* repositories.removeOwnedBy(owner)
  if (repositoryIds.length > 0) yield* addJob({ _tag: "RemoveGits", repositoryIds })
})

/** Deletes one batch of an organization's repositories. Returns true if no repositories are left to delete. */
export const deleteRepositories = Effect.fnUntraced(function* ({
  organizationId,
  upTo
}: Extract<Work, { _tag: "DeleteRepositories" }>) {
  const transaction = yield* Transaction
  const ids = yield* (yield* RepositoryStore).idsOf(organizationId, upTo, batch)
  for (const id of ids) yield* transaction.run(deleteRepository(id, organizationId))
  return ids.length < batch
})
