import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import { forks, isRefName, parentOf, RefName, RepositoryStore } from "@slipway/domain/forge/code"
import { PullBranchNotFound, PullImpossible } from "@slipway/domain/forge/collaboration"
import type { Proof } from "@slipway/domain/forge/entry"
import type { Actor } from "@slipway/domain/forge/identity"
import { OrganizationStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import { refCommit, withCommitsOf } from "../../code/git/branches.ts"
import * as Entry from "../../entry/Entry.ts"
import { lookAt } from "./refresh.ts"

/** Where a head lies, as requests name it. */
export interface HeadName {
  readonly owner: string | undefined
  readonly repository: string | undefined
  readonly branch: string
}

/**
 * Returns what a text names as a head: a branch, or one of another owner or repository.
 *
 * @example
 * headName("fix") // => { owner: undefined, repository: undefined, branch: "fix" }
 * headName("ann:fix") // => { owner: "ann", repository: undefined, branch: "fix" }
 * headName("ann/site:fix") // => { owner: "ann", repository: "site", branch: "fix" }
 */
export const headName = (text: string): HeadName => {
  const [, owner, repository, branch] = /^(?:([^/:]+)(?:\/([^/:]+))?:)?(.*)$/s.exec(text) ?? []
  return { owner, repository, branch: branch ?? "" }
}

/** Reads the commit that a branch is at, or fails for the field that names it. */
export const tipOf = Effect.fnUntraced(function* (repository: Repository, branch: string, field: "base" | "head") {
  const ref = `refs/heads/${branch}`
  const found = isRefName(ref) ? yield* refCommit(repository.id, RefName.make(ref)) : undefined
  return found ?? (yield* new PullBranchNotFound({ field }))
})

/** Finds the repository that an owner has of the same kin, whatever its name: a fork of the base, or what it was forked from. */
const relativeOf = Effect.fnUntraced(function* (base: Repository, owner: string) {
  const user = yield* (yield* UserStore).named(owner)
  const found = user?.user ?? (yield* (yield* OrganizationStore).named(owner))?.organization
  if (found === undefined) return undefined
  const fork = yield* (yield* forks.store).findBy("owner", { parentId: base.id, ownerId: found.id })
  if (fork !== undefined) return fork.repositoryId
  const parentId = yield* parentOf(base.id)
  const parent = parentId === undefined ? undefined : yield* (yield* RepositoryStore).find(parentId)
  return parent?.owner.id === found.id ? parent.id : undefined
})

/** Finds the repository of a head: one whose code whoever acts reads, else it is as if it weren't there. */
export const headRepository = Effect.fnUntraced(function* (
  actor: Actor,
  base: Repository,
  { owner, repository }: HeadName
) {
  if (owner === undefined) return base
  const related = repository === undefined ? yield* relativeOf(base, owner) : undefined
  const target =
    related === undefined
      ? ({ kind: "repository", owner, repository: repository ?? base.name } as const)
      : ({ kind: "repository", id: related } as const)
  const entered = yield* Entry.enterElsewhere(actor, target)
  const proof = yield* Effect.catch(Entry.authorize("git.fetch", entered), () =>
    Effect.fail(new PullBranchNotFound({ field: "head" }))
  )
  return proof.resource.repository
})

/** Looks at what lies between two commits, or fails where there is nothing to merge. */
export const between = Effect.fnUntraced(function* (repository: Repository, base: ObjectId, head: ObjectId) {
  const known = yield* lookAt(repository.id, base, head)
  if (known === undefined) return yield* new PullImpossible({ because: "unrelated" })
  if (known.mergeBase === head) return yield* new PullImpossible({ because: "nothing-new" })
  return known
})

/** Reads of git what a new pull request joins, before anything is written: commits may be many. */
export const joined = Effect.fnUntraced(function* (
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
  const known = yield* withCommitsOf(repository.id, tip, between(repository, base, head))
  return { branch: name.branch, home, known }
})
