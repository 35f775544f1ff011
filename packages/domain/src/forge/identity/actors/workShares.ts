import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { Actor } from "./Actor.ts"

/**
 * Returns the key by which work for a repository is counted, so that queues share capacity fairly between repositories.
 */
export const repositoryShare = (id: RepositoryId): string => `repository:${id}`

/**
 * Returns the keys by which queues count the work of a request, to share capacity fairly: the caller (or the address of
 * an anonymous caller) and the repository. For an actions job, its repository replaces the caller.
 */
export const sharesOf = (resource: {
  readonly actor: Pick<Actor, "task" | "userId" | "via">
  readonly repository?: { readonly id: RepositoryId } | undefined
}): ReadonlyArray<string> => {
  const { actor, repository } = resource
  const { task, userId, via } = actor
  const about = repository === undefined ? [] : [repositoryShare(repository.id)]
  // Jobs act as one account, so their repository distinguishes them.
  if (task !== undefined) return [...new Set([repositoryShare(task.repositoryId), ...about])]
  return [userId === undefined ? `address:${via.address}` : `caller:${userId}`, ...about]
}
