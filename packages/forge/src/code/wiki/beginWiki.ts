import type { Repository } from "@slipway/domain/forge/code"
import { GitRepositories, RepositoryStore, wikiOf } from "@slipway/domain/forge/code"
import { Effect } from "effect"
import { usualBranch } from "../repositories/creation.ts"

/**
 * Makes the git repository of a wiki when somebody is about to write to it for the first time.
 *
 * A repository that was deleted meanwhile has no wiki left behind.
 */
export const beginWiki = Effect.fnUntraced(function* ({ createdAt, id }: Pick<Repository, "createdAt" | "id">) {
  const git = yield* GitRepositories
  const wiki = wikiOf(id)
  if ((yield* git.defaultBranch(wiki)) !== undefined) return
  yield* git.create(wiki, { defaultBranch: usualBranch, commit: undefined, madeAt: createdAt })
  if ((yield* (yield* RepositoryStore).find(id)) === undefined) yield* git.remove(wiki)
})
