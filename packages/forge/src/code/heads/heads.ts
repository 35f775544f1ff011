import { forks, isRefName, parentOf, RefName, type Repository, RepositoryStore } from "@slipway/domain/forge/code"
import { PullBranchNotFound } from "@slipway/domain/forge/collaboration"
import { type Actor, OrganizationStore, UserStore } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import * as Entry from "../../entry/Entry.ts"
import { refCommit } from "../git/branches.ts"

/**
 * The head of a requested comparison or pull request: a branch, and optionally the owner and name of its repository.
 */
export interface HeadName {
  readonly owner: string | undefined
  readonly repository: string | undefined
  readonly branch: string
}

/**
 * Parses the head of a comparison or pull request: a branch, optionally prefixed with an owner or with a repository.
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

/** Reads the commit of a branch. If the branch is missing, the error contains the request field (`base` or `head`). */
export const tipOf = Effect.fnUntraced(function* (repository: Repository, branch: string, field: "base" | "head") {
  const ref = `refs/heads/${branch}`
  const found = isRefName(ref) ? yield* refCommit(repository.id, RefName.make(ref)) : undefined
  return found ?? (yield* new PullBranchNotFound({ field }))
})

/**
 * Finds the repository of an owner that is related to the base repository: a fork of it, or its parent. Its name may
 * differ.
 */
export const relativeOf = Effect.fnUntraced(function* (base: Repository, owner: string) {
  const user = yield* (yield* UserStore).named(owner)
  const found = user?.user ?? (yield* (yield* OrganizationStore).named(owner))?.organization
  if (found === undefined) return undefined
  const fork = yield* (yield* forks.store).findBy("owner", { parentId: base.id, ownerId: found.id })
  if (fork !== undefined) return fork.repositoryId
  const parentId = yield* parentOf(base.id)
  const parent = parentId === undefined ? undefined : yield* (yield* RepositoryStore).find(parentId)
  return parent?.owner.id === found.id ? parent.id : undefined
})

/**
 * Finds the head repository of a comparison or pull request. If the actor may not read its code, it is reported as
 * missing.
 */
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
  const entered = yield* Entry.authorizeSecondResource(actor, target)
  const proof = yield* Effect.catch(Entry.authorize("git.fetch", entered), () =>
    Effect.fail(new PullBranchNotFound({ field: "head" }))
  )
  return proof.resource.repository
})
