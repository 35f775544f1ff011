import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import { PullImpossible } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import { Effect } from "effect"
import { withCommitsOf } from "../../code/git/branches.ts"
import { headName, headRepository, tipOf } from "../../code/heads/heads.ts"
import { lookAt } from "./refresh.ts"

/** Compares the base and head of a pull request. Fails if there is nothing to merge. */
export const compareCommits = Effect.fnUntraced(function* (repository: Repository, base: ObjectId, head: ObjectId) {
  const known = yield* lookAt(repository.id, base, head)
  if (known === undefined) return yield* new PullImpossible({ because: "unrelated" })
  if (known.mergeBase === head) return yield* new PullImpossible({ because: "nothing-new" })
  return known
})

/** Reads the git data of a new pull request. This happens before the transaction, because there may be many commits. */
export const readPullCommits = Effect.fnUntraced(function* (
  { resource }: Proof<"pull.create">,
  { base: baseBranch, head: headText }: { readonly base: string; readonly head: string }
) {
  const { actor, repository } = resource
  const name = headName(headText)
  const home = yield* headRepository(actor, repository, name)
  const base = yield* tipOf(repository, baseBranch, "base")
  const head = yield* tipOf(home, name.branch, "head")
  if (home.id === repository.id && name.branch === baseBranch) {
    return yield* new PullImpossible({ because: "same-branch" })
  }
  const tip = { repository: home.id, branch: name.branch, commit: head }
  const known = yield* withCommitsOf(repository.id, tip, compareCommits(repository, base, head))
  return { branch: name.branch, home, known }
})
