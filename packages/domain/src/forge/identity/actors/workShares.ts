import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { Actor } from "./Actor.ts"

/** Returns the key of work for a repository, by which queues are fair. */
export const repositoryShare = (id: RepositoryId): string => `repository:${id}`

/** Returns the keys of work for a request: its caller, or the address of an anonymous one, and its repository. */
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
