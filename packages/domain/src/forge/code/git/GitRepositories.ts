import { Context, type Effect, Schema } from "effect"
import { isBranchName, isNewBranchName } from "../../../branches.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

import type { GitId } from "./gitIds.ts"
import type { ObjectFormat } from "./objectIds.ts"

/** The schema of the name of a branch. */
export const BranchName = Schema.String.check(
  Schema.makeFilter((name: string) => (name !== "" && isBranchName(name) ? undefined : "must be the name of a branch"))
).pipe(Schema.brand("BranchName"))
export type BranchName = typeof BranchName.Type

/** The schema of the name of a branch that does not exist yet. */
export const NewBranchName = BranchName.check(
  Schema.makeFilter((name: string) => (isNewBranchName(name) ? undefined : "must not begin with `refs/`"))
)

/** The first commit of a repository. */
export interface FirstCommit {
  /** The files by name, all in the top folder. */
  readonly files: Readonly<Record<string, string>>
  readonly author: { readonly name: string; readonly email: string }
  readonly message: string
  /** In ISO 8601. */
  readonly at: string
}

/** The options of a new git repository. */
export interface NewGitRepository {
  readonly defaultBranch: BranchName
  readonly commit: FirstCommit | undefined
  /** The hash algorithm; SHA-1 by default. */
  readonly objectFormat?: ObjectFormat | undefined
  /** When the repository was created that it is for, in ISO 8601: its number may have been another's. */
  readonly madeAt: string
}

/** The source of a copy of a git repository. */
export interface GitCopy {
  readonly from: RepositoryId
  /** The one branch that is copied, which becomes the default one; all branches and tags where none is named. */
  readonly only: BranchName | undefined
  /** When the repository was created that it is for, in ISO 8601. */
  readonly madeAt: string
}

/** A branch, with the name of its last commit. */
export interface Branch {
  readonly name: string
  readonly commit: string
}

/**
 * Keeps the git repository behind each repository, and behind its wiki, by its number: no name of a user gets near a path.
 *
 * Must:
 * - create a bare repository without a commit, with the requested default branch
 * - create a first commit of the given files, with its author and time
 * - name commits by SHA-1, or by SHA-256 on request
 * - keep a repository unchanged when it is created again
 * - set aside leftovers of another repository under its id
 * - copy only the branches and tags of another repository, or one branch
 * - keep a copy complete after its source is removed
 * - report that there is nothing to copy
 * - accept every branch name that the domain accepts
 * - set another default branch, even one that does not exist yet
 * - return nothing for a missing repository
 * - return the objects of those refs that exist
 * - report the size of a repository
 * - remove a repository once, and report when it is missing
 * - list existing repositories, by id
 * - keep the git repository of a wiki separate from that of its repository, and omit it from the list
 * - keep texts unchanged, with any characters
 * - create repositories concurrently
 */
export class GitRepositories extends Context.Service<
  GitRepositories,
  {
    readonly create: (id: GitId, what: NewGitRepository) => Effect.Effect<void>
    /**
     * Creates a repository from the branches and tags of another, including its default branch; `false` if that is
     * missing.
     */
    readonly copy: (id: GitId, what: GitCopy) => Effect.Effect<boolean>
    readonly defaultBranch: (id: GitId) => Effect.Effect<string | undefined>
    /** `false` when the repository is not there. */
    readonly setDefaultBranch: (id: GitId, branch: BranchName) => Effect.Effect<boolean>
    /** Lists by name. */
    readonly branches: (id: GitId) => Effect.Effect<ReadonlyArray<Branch>>
    /** Returns the objects that full ref names point to, such as `refs/heads/main`. */
    readonly refs: (id: GitId, names: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>>
    /** Reads a file of the top folder on a branch. */
    readonly file: (id: GitId, branch: string, name: string) => Effect.Effect<string | undefined>
    /** In kibibytes, and 0 for one that is not there. */
    readonly size: (id: GitId) => Effect.Effect<number>
    readonly remove: (id: GitId) => Effect.Effect<boolean>
    readonly list: Effect.Effect<ReadonlyArray<RepositoryId>>
  }
>()("@slipway/domain/forge/GitRepositories") {}
