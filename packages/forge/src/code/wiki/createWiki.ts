import type { Repository } from "@slipway/domain/forge/code"
import { GitRepositories, RepositoryStore, wikiOf } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { usualBranch } from "../repositories/creation.ts"

/**
 * Creates the git repository of a wiki, before the first change of the wiki.
 *
 * If the repository was deleted at the same time, the git repository of the wiki is removed again.
 */
export const createWiki = Effect.fnUntraced(function* ({ createdAt, id }: Pick<Repository, "createdAt" | "id">) {
  const git = yield* GitRepositories
  const wiki = wikiOf(id)
  if ((yield* git.defaultBranch(wiki)) !== undefined) return
  yield* git.create(wiki, { defaultBranch: usualBranch, commit: undefined, madeAt: createdAt })
  if ((yield* (yield* RepositoryStore).find(id)) === undefined) yield* git.remove(wiki)
})
