import { now } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { ObjectId, Repository } from "@slipway/domain/forge/code"
import {
  branchRef,
  GitReader,
  isRefName,
  NoParent,
  parentOf,
  RefName,
  UpstreamDiverged
} from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { signedInUser } from "@slipway/domain/forge/identity"
import { Effect } from "effect"
import * as Entry from "../../entry/Entry.ts"
import { joinCommits } from "../commits/mergeCommits.ts"
import { identOf } from "../commits/mergePeople.ts"
import { refCommit, withCommitsOf } from "../git/branches.ts"
import { RevisionNotFound } from "../git/revisions.ts"
import { changeRefs } from "../pushes/changeRefs.ts"

/** The result of an update of a fork's branch from its parent: nothing to do, fast-forward, or a merge commit. */
export type UpstreamOutcome = "up-to-date" | "fast-forward" | "merge"

type UpstreamProof = Proof<"repository.merge-upstream">

/**
 * Finds the parent repository of a fork, if the actor may read its code now.
 *
 * That the actor could read it when the fork was created is not sufficient (invariant I7, CVE-2026-24451).
 */
const upstream = Effect.fnUntraced(function* ({ resource: { actor, repository } }: UpstreamProof) {
  const id = yield* parentOf(repository.id)
  if (id === undefined) return yield* new NoParent()
  const entered = yield* Entry.authorizeSecondResource(actor, { kind: "repository", id })
  const proof = yield* Effect.mapError(Entry.authorize("git.fetch", entered), () => new NoParent())
  return proof.resource.repository
})

const tipOf = Effect.fnUntraced(function* ({ id }: Repository, branch: string) {
  const ref = `refs/heads/${branch}`
  return isRefName(ref) ? yield* refCommit(id, RefName.make(ref)) : undefined
})

/** A branch of a fork and the branch of its parent to merge, with their commits. */
interface Joining {
  readonly branch: string
  readonly ours: ObjectId
  readonly from: string
  readonly theirs: ObjectId
  readonly fastForwardOnly: boolean
}

/** Merges a commit of the parent into a branch of a fork. The commit must already be available in the fork. */
const join = Effect.fnUntraced(function* (
  proof: UpstreamProof,
  parent: Repository,
  { branch, fastForwardOnly, from, ours, theirs }: Joining
) {
  const { repository } = proof.resource
  const between = yield* (yield* GitReader).divergence(repository.id, ours, theirs)
  if (between?.ahead === 0) return "up-to-date" as const
  const ahead = between?.mergeBase === ours
  if (!ahead && fastForwardOnly) return yield* new UpstreamDiverged({ paths: [] })
  const { host } = yield* SiteSettings
  const who = identOf(signedInUser(proof.resource), host, yield* now)
  const after = yield* joinCommits(ahead ? "fast-forward-only" : "merge", {
    repository: repository.id,
    base: ours,
    head: theirs,
    committer: who,
    author: who,
    message: `Merge branch '${from}' of ${parent.owner.name}/${parent.name} into ${branch}\n`
  }).pipe(
    Effect.catchTags({
      MergeConflict: ({ paths }) => Effect.fail(new UpstreamDiverged({ paths })),
      MergeImpossible: () => Effect.fail(new UpstreamDiverged({ paths: [] }))
    })
  )
  yield* changeRefs(proof, [{ ref: branchRef(branch), before: ours, after }])
  return ahead ? ("fast-forward" as const) : ("merge" as const)
})

/**
 * Updates a branch of a fork from the branch of the same name in the parent. The default branch is updated from the
 * parent's default branch.
 */
export const merge = Effect.fnUntraced(function* (
  proof: UpstreamProof,
  { branch, fastForwardOnly }: { readonly branch: string; readonly fastForwardOnly: boolean }
) {
  const { repository } = proof.resource
  const parent = yield* upstream(proof)
  const named = yield* tipOf(parent, branch)
  const from = named === undefined && branch === repository.defaultBranch ? parent.defaultBranch : branch
  const theirs = named ?? (yield* tipOf(parent, from))
  const ours = yield* tipOf(repository, branch)
  if (theirs === undefined || ours === undefined) return yield* new RevisionNotFound({ name: branch })
  return yield* withCommitsOf(
    repository.id,
    { repository: parent.id, branch: from, commit: theirs },
    join(proof, parent, { branch, fastForwardOnly, from, ours, theirs })
  )
})
