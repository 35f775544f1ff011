import type { ItemKeys, ItemKind, Items, RepositoryId } from "@slipway/domain/forge"
import type { Snapshot } from "../Database.ts"
import { pairKey, type Tables } from "./tables.ts"

type Find<K extends ItemKind> = (
  tables: Tables["Service"],
  snapshot: Snapshot,
  repository: RepositoryId,
  keys: ItemKeys[K]
) => Items[K] | undefined

/** Finds each kind of thing within a repository. */
export const itemFinders: { readonly [K in ItemKind]: Find<K> } = {
  issue: (tables, snapshot, repository, { index }) => {
    const issue = tables.issue.find(snapshot, pairKey(repository, index), 1)
    return issue && { issue }
  },
  comment: (tables, snapshot, repository, { id }) => {
    const comment = tables.comment.get(snapshot, id)
    const issue = comment?.repositoryId === repository ? tables.issue.get(snapshot, comment.issueId) : undefined
    return comment && issue && { issue, comment }
  }
}
