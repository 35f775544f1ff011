import { isBranchName, isNewBranchName, now, secondsOf } from "@slipway/domain"
import { SiteSettings } from "@slipway/domain/forge/base"
import type { Ident, ObjectId, Repository } from "@slipway/domain/forge/code"
import { branchRef, GitReader, GitWriter, inIdent, Revision } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { profileOf, signedInUser } from "@slipway/domain/forge/identity"
import { Effect, Schema } from "effect"
import { RevisionNotFound } from "../git/revisions.ts"
import { changeRefs, type LargestBlob } from "../pushes/changeRefs.ts"

/** Reports that a field of a request to change files is invalid. */
export class ChangeInvalid extends Schema.TaggedError<ChangeInvalid>()("ChangeInvalid", {
  field: Schema.String,
  problem: Schema.String
}) {}

/** Reports that a branch or tag already exists. */
export class RefExists extends Schema.TaggedError<RefExists>()("RefExists", { name: Schema.String }) {}

/** The name and email address of an author or committer. */
export interface Identity {
  readonly name?: string | undefined
  readonly email?: string | undefined
}

/** The options of a commit that changes files: branches, message, author and dates. */
export interface CommitOptions {
  /** The branch on which the commit is based; by default the default branch. */
  readonly branch?: string | undefined
  /** The name of a new branch for the commit; undefined to commit to an existing branch. */
  readonly newBranch?: string | undefined
  /** Whether the new commit may replace an existing branch, so that commits only on that branch are lost. */
  readonly forcePush?: boolean | undefined
  readonly message?: string | undefined
  readonly author?: Identity | undefined
  readonly committer?: Identity | undefined
  /** The author date in ISO 8601. */
  readonly authoredAt?: string | undefined
  readonly committedAt?: string | undefined
  readonly signOff?: boolean | undefined
}

/** The proofs (results of authorization) of the actions that create a commit. */
export type CommitProof = Proof<
  | "repository.contents.change"
  | "repository.contents.create"
  | "repository.contents.delete"
  | "repository.contents.edit"
  | "repository.patch.apply"
>

/** The files of a new commit, as a git tree. */
export interface CommitTree {
  readonly tree: ObjectId
  readonly largest: LargestBlob
  /** The commit message that is used if the request contains none. */
  readonly message: string
}

/** A new commit, with the branch that was moved to it. */
export interface CreatedCommit {
  readonly commit: ObjectId
  readonly branch: string
}

/**
 * Returns a timestamp in seconds with its UTC offset.
 *
 * @example
 * momentOf("2026-02-02T03:40:00+01:00") // => { seconds: 1_770_000_000, offset: "+0100" }
 * momentOf("2026-02-02T02:40:00Z") // => { seconds: 1_770_000_000, offset: "+0000" }
 */
export const momentOf = (text: string): Pick<Ident, "offset" | "seconds"> => ({
  seconds: secondsOf(text),
  offset: /([+-]\d\d):?(\d\d)$/.exec(text)?.slice(1).join("") ?? "+0000"
})

/**
 * Returns the name and email address of the actor for a commit. A hidden email address is replaced by a no-reply
 * address.
 */
export const identityOf = Effect.fnUntraced(function* (
  proof:
    | CommitProof
    | Proof<"repository.release.create" | "repository.release.edit" | "repository.tag.create">
    | Proof<"repository.wiki.page.create" | "repository.wiki.page.delete" | "repository.wiki.page.edit">
) {
  const { actor } = proof.resource
  const user = signedInUser(proof.resource)
  const { host } = yield* SiteSettings
  const { email } = profileOf(
    { facts: { ...actor.facts, siteAdmin: false }, userId: undefined },
    { ...user, followers: 0, following: 0, starred: 0 },
    host
  )
  return { name: user.fullName === "" ? user.name : user.fullName, email }
})

const isIdentityGiven = (identity: Identity | undefined): identity is Identity =>
  identity !== undefined && inIdent(identity.name ?? "") + inIdent(identity.email ?? "") !== ""

/**
 * Returns the author and the committer of a new commit. If the request contains only one of them, it is used for both.
 */
const authorAndCommitter = Effect.fnUntraced(function* (proof: CommitProof, options: CommitOptions) {
  const own = yield* identityOf(proof)
  const at = yield* now
  const ident = (first: Identity | undefined, second: Identity | undefined, when: string | undefined): Ident => {
    const said = [first, second].find(isIdentityGiven)
    const [name, email] = [inIdent(said?.name ?? ""), inIdent(said?.email ?? "")]
    return { name: name === "" ? own.name : name, email: email === "" ? own.email : email, ...momentOf(when ?? at) }
  }
  const { author, authoredAt, committedAt, committer } = options
  return {
    author: ident(author, committer, authoredAt ?? committedAt),
    committer: ident(committer, author, committedAt ?? authoredAt)
  }
})

/** Returns the parent commit of a new commit, and the branch to move. */
const startOf = Effect.fnUntraced(function* (repository: Repository, { branch, forcePush, newBranch }: CommitOptions) {
  const reader = yield* GitReader
  const tipOf = Effect.fnUntraced(function* (name: string) {
    if (!isBranchName(name)) return undefined
    return (yield* reader.resolve(repository.id, Revision.make(branchRef(name))))?.commit
  })
  const from = branch === undefined || branch === "" ? repository.defaultBranch : branch
  const onto = newBranch === undefined || newBranch === "" ? from : newBranch
  if (onto === "" || !isBranchName(onto)) {
    return yield* new ChangeInvalid({ field: "new_branch", problem: "must be the name of a branch" })
  }
  const base = yield* tipOf(from)
  if (base === undefined && !repository.empty) return yield* new RevisionNotFound({ name: from })
  const before = onto === from ? base : yield* tipOf(onto)
  if (before === undefined && !isNewBranchName(onto)) {
    return yield* new ChangeInvalid({ field: "new_branch", problem: "must not begin with `refs/`" })
  }
  if (onto !== from && before !== undefined && forcePush !== true) return yield* new RefExists({ name: onto })
  return { base, onto, before }
})

/** The maximum length of a commit message, in characters. */
const longestMessage = 64 * 1024

const messageOf = (
  { message = "", signOff }: CommitOptions,
  defaultMessage: string,
  { email, name }: Ident
): string => {
  const said = message.trim() === "" ? defaultMessage : message
  const text = said.slice(0, longestMessage).trimEnd()
  return signOff === true ? `${text}\n\nSigned-off-by: ${name} <${email}>\n` : `${text}\n`
}

/** Creates a commit with the given tree, and moves the branch to it. The same rules apply as to a push. */
export const commit = Effect.fnUntraced(function* <E, R>(
  proof: CommitProof,
  options: CommitOptions,
  make: (base: ObjectId | undefined) => Effect.Effect<CommitTree, E, R>
) {
  const { repository } = proof.resource
  const writer = yield* GitWriter
  const { base, before, onto } = yield* startOf(repository, options)
  const { largest, message, tree } = yield* make(base)
  const { author, committer } = yield* authorAndCommitter(proof, options)
  const id = yield* writer.writeCommit(repository.id, {
    tree,
    parents: base === undefined ? [] : [base],
    author,
    committer,
    message: messageOf(options, message, committer)
  })
  yield* changeRefs(proof, [{ ref: branchRef(onto), before, after: id }], largest)
  return { commit: id, branch: onto } satisfies CreatedCommit
})
