import { Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { descending, owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"
import type { UserId } from "../../identity/users/User.ts"
import type { Issue, IssueId } from "../issues/Issue.ts"

/**
 * The mergeability of a pull request: being checked, merges cleanly, conflicts with the base branch, or has only
 * commits that the base branch already contains.
 */
export const pullChecks = ["checking", "fits", "conflicts", "contained"] as const
export type PullCheck = (typeof pullChecks)[number]

/**
 * The fields that a pull request has in addition to its issue: the two branches, their commits, and the merge state.
 */
export interface PullRequest {
  readonly id: number
  readonly issueId: IssueId
  readonly repositoryId: RepositoryId
  /** The repository of the head branch; null if that repository was deleted, or if there is none (see `pushedBy`). */
  readonly headRepositoryId: RepositoryId | null
  /** The name of the owner of the head repository when the pull request was opened. */
  readonly headOwner: string
  readonly headBranch: string
  /**
   * The user who pushed the head commits to the ref namespace `refs/for/`, and may push more of them; null if the head
   * is a branch.
   *
   * Such a pull request has no head repository: its commits are in the base repository, and `headBranch` is its topic.
   */
  readonly pushedBy: UserId | null
  readonly headSha: ObjectId
  readonly baseBranch: string
  readonly baseSha: ObjectId
  readonly mergeBase: ObjectId
  /**
   * The number of times that the base branch was changed. An approval is valid only for the base on which it was given
   * (invariant I20).
   */
  readonly baseVersion: number
  /** Whether the issue of the pull request is open. */
  readonly open: boolean
  /**
   * A key of the head and base branches that is unique among open pull requests (see `betweenOf`); null when closed.
   */
  readonly openBetween: string | null
  readonly allowMaintainerEdit: boolean
  /**
   * The user who allows users with write access to the base repository to push to the head branch. The permission ends
   * when this user loses write access to the head repository.
   */
  readonly lenderId: UserId | null
  readonly merged: boolean
  readonly mergedAt: string | null
  readonly mergerId: UserId | null
  readonly mergeCommit: ObjectId | null
  readonly check: PullCheck
  /** The paths of the files with merge conflicts. */
  readonly conflicts: ReadonlyArray<string>
  /** The number of commits on the base branch that are not in the history of the head. */
  readonly behind: number
  readonly additions: number
  readonly deletions: number
  readonly changedFiles: number
}

/** The declaration of the fields that pull requests have in addition to their issues. */
export const pulls = owned<PullRequest>()("pullRequest", {
  within: ["repositoryId", "issueId", "headRepositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    issueId: Fields.reference("issue"),
    headRepositoryId: Fields.looseReference("repository"),
    headOwner: Fields.text(),
    headBranch: Fields.text(),
    pushedBy: Fields.nullable(Fields.integer()),
    headSha: Fields.text(),
    baseBranch: Fields.text(),
    baseSha: Fields.text(),
    mergeBase: Fields.text(),
    baseVersion: Fields.integer(),
    open: Fields.boolean(),
    openBetween: Fields.nullable(Fields.text()),
    allowMaintainerEdit: Fields.boolean(),
    lenderId: Fields.looseReference("user"),
    merged: Fields.boolean(),
    mergedAt: Fields.nullable(Fields.time()),
    mergerId: Fields.nullable(Fields.integer()),
    mergeCommit: Fields.nullable(Fields.text()),
    check: Fields.oneOf(...pullChecks),
    conflicts: Fields.json(),
    behind: Fields.integer(),
    additions: Fields.integer(),
    deletions: Fields.integer(),
    changedFiles: Fields.integer()
  },
  orders: { newest: descending() },
  filters: ["open", "headBranch", "baseBranch", "mergeCommit"],
  unique: { issue: ["issueId"], between: ["repositoryId", "openBetween"] }
})

/** A pull request with its issue: every pull request also is an issue, with title, text and comments. */
export interface Pull {
  readonly issue: Issue
  readonly pull: PullRequest
}

/** The title prefixes that make a pull request a draft. */
const draftWords = ["wip:", "[wip]", "draft:", "[draft]"]

/**
 * Returns whether a title marks a pull request as a draft (work in progress).
 *
 * @example
 * isDraft("WIP: a new door") // => true
 * isDraft("[draft] a new door") // => true
 * isDraft("Wipe the door") // => false
 */
export const isDraft = (title: string): boolean => {
  const lower = title.trimStart().toLowerCase()
  return draftWords.some((word) => lower.startsWith(word))
}

/**
 * Returns the key of an open pull request, from its head and base branches. At most one open pull request of a
 * repository can have this key.
 *
 * @example
 * betweenOf({ headRepositoryId: 3, headBranch: "fix", pushedBy: null, baseBranch: "main" }) // => "3:fix...main"
 * betweenOf({ headRepositoryId: null, headBranch: "fix", pushedBy: 7, baseBranch: "main" }) // => "user 7:fix...main"
 */
export const betweenOf = ({
  baseBranch,
  headBranch,
  headRepositoryId,
  pushedBy
}: {
  readonly headRepositoryId: number | null
  readonly headBranch: string
  readonly pushedBy: number | null
  readonly baseBranch: string
}): string => `${pushedBy === null ? (headRepositoryId ?? "") : `user ${pushedBy}`}:${headBranch}...${baseBranch}`

/** Returns the name of the ref that keeps the head commits of a pull request, even after its head branch is deleted. */
export const pullRef = (number: number): string => `refs/pull/${number}/head`

/** Reports that a repository has no pull request with this number. */
export class PullNotFound extends Schema.TaggedError<PullNotFound>()("PullNotFound", { what: Schema.String }) {}
/** Reports that the head branch or the base branch of a merge does not exist. */
export class PullBranchNotFound extends Schema.TaggedError<PullBranchNotFound>()("PullBranchNotFound", {
  field: Schema.Literals(["base", "head"])
}) {}
/** Reports that a pull request cannot be reopened because its head or base branch no longer exists. */
export class PullBranchGone extends Schema.TaggedError<PullBranchGone>()("PullBranchGone", { branch: Schema.String }) {}
/** Reports that a pull request cannot be opened between the requested head and base, with the reason. */
export class PullImpossible extends Schema.TaggedError<PullImpossible>()("PullImpossible", {
  because: Schema.Literals(["same-branch", "unrelated", "nothing-new"])
}) {}
/** Reports that there is already an open pull request between these branches. */
export class PullExists extends Schema.TaggedError<PullExists>()("PullExists", { between: Schema.String }) {}
/** Reports that the requested change is impossible because the pull request is merged. */
export class PullIsMerged extends Schema.TaggedError<PullIsMerged>()("PullIsMerged", {}) {}
/** Reports that a pull request is not merged. */
export class PullNotMerged extends Schema.TaggedError<PullNotMerged>()("PullNotMerged", {}) {}
/**
 * Reports that the commit of the base branch before the merge is unknown, for example in a repository copied from
 * another host.
 */
export class MergeBaseUnknown extends Schema.TaggedError<MergeBaseUnknown>()("MergeBaseUnknown", {
  commit: Schema.String
}) {}
/** Reports that the requested change is impossible because the pull request is closed. */
export class PullIsClosed extends Schema.TaggedError<PullIsClosed>()("PullIsClosed", {}) {}
/**
 * Reports that a user tries to allow maintainer edits of a head branch without write access to that branch
 * (CVE-2026-26231).
 */
export class HeadNotYours extends Schema.TaggedError<HeadNotYours>()("HeadNotYours", {}) {}
