import type { NamedCommit, Repository } from "@slipway/domain/forge/code"
import { branchRef, GitReader, isHidden, isRevision, Revision, refParts } from "@slipway/domain/forge/code"
import { Effect, Schema } from "effect"

/** Reports that a repository has no such revision (branch, tag or commit). */
export class RevisionNotFound extends Schema.TaggedError<RevisionNotFound>()("RevisionNotFound", {
  name: Schema.String
}) {}

/** Reports that a repository has no commits yet. */
export class RepositoryEmpty extends Schema.TaggedError<RepositoryEmpty>()("RepositoryEmpty", {}) {}

/** Resolves a revision (branch, tag or commit) to a git object; without a text, the default branch. */
export const resolveRevision = Effect.fnUntraced(function* (repository: Repository, text: string | undefined) {
  const wanted = text === undefined || text === "" ? branchRef(repository.defaultBranch) : text
  if (!isRevision(wanted) || isHidden(wanted)) return yield* new RevisionNotFound({ name: wanted })
  const found = yield* (yield* GitReader).resolve(repository.id, Revision.make(wanted))
  return found ?? (yield* new RevisionNotFound({ name: wanted }))
})

/** Resolves a revision (branch, tag or commit) to a commit; without a text, the commit of the default branch. */
export const commitNamed = Effect.fnUntraced(function* (repository: Repository, text: string | undefined) {
  const { commit, ref } = yield* resolveRevision(repository, text)
  const name = text === undefined || text === "" ? repository.defaultBranch : text
  if (commit === undefined) return yield* new RevisionNotFound({ name })
  return { commit, ref, name } satisfies NamedCommit
})

/**
 * Returns how links to files refer to a revision: by the branch or tag that was requested, otherwise by the commit.
 *
 * @example
 * linkedAs({ commit: "c0ffee", ref: "refs/heads/a/b", name: "a/b" }) // => ["branch", "a/b"]
 * linkedAs({ commit: "c0ffee", ref: undefined, name: "HEAD~1" }) // => ["commit", "c0ffee"]
 */
export const linkedAs = ({ commit, ref }: NamedCommit): readonly ["branch" | "commit" | "tag", string] => {
  const parts = ref === undefined ? undefined : refParts(ref)
  return parts === undefined || parts.kind === "other" ? ["commit", commit] : [parts.kind, parts.name]
}
