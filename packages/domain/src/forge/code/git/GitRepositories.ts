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

/** The schema of the name of a new branch. */
export const NewBranchName = BranchName.check(
  Schema.makeFilter((name: string) => (isNewBranchName(name) ? undefined : "must not begin with `refs/`"))
)

/** The initial commit of a new repository. */
export interface FirstCommit {
  /** The contents of the files by name; all files are in the root folder. */
  readonly files: Readonly<Record<string, string>>
  readonly author: { readonly name: string; readonly email: string }
  readonly message: string
  /** The time of the commit, in ISO 8601. */
  readonly at: string
}

/** The options of a new git repository. */
export interface NewGitRepository {
  readonly defaultBranch: BranchName
  readonly commit: FirstCommit | undefined
  /** The hash algorithm of the object ids; SHA-1 by default. */
  readonly objectFormat?: ObjectFormat | undefined
  /**
   * The creation time of the repository in ISO 8601. It distinguishes the repository from leftovers of another one with
   * the same id.
   */
  readonly madeAt: string
}

/** The source and the options of a copy of a git repository. */
export interface GitCopy {
  readonly from: RepositoryId
  /** The only branch to copy, which becomes the default branch; undefined copies all branches and tags. */
  readonly only: BranchName | undefined
  /** The creation time of the new repository in ISO 8601. */
  readonly madeAt: string
}

/** A branch with the id of its newest commit. */
export interface Branch {
  readonly name: string
  readonly commit: string
}

/**
 * Stores the git repositories (the data on disk) of repositories and wikis, by repository id. So no user-chosen name
 * becomes part of a file path.
 *
 * Must:
 * - create a bare repository without a commit, with the requested default branch
 * - create a first commit of the given files, with its author and time
 * - name commits by SHA-1, or by SHA-256 on request
 * - keep a repository unchanged when it is created again
 * - move aside leftovers of another repository with the same id
 * - copy only the branches and tags of another repository, or one branch
 * - keep a copy complete after its source is removed
 * - report when there is nothing to copy
 * - accept every branch name that the domain accepts
 * - set another default branch, even one that does not exist yet
 * - return nothing for a missing repository
 * - return the objects of the existing refs among the given ones
 * - report the size of a repository
 * - remove a repository once, and report when it is missing
 * - list existing repositories, by id
 * - keep the git repository of a wiki separate from that of its repository, and omit it from the list
 * - keep texts with any characters unchanged
 * - create repositories concurrently
 */
export class GitRepositories extends Context.Service<
  GitRepositories,
  {
    readonly create: (id: GitId, what: NewGitRepository) => Effect.Effect<void>
    /**
     * Creates a repository as a copy of another one, with its default branch; false if the source or the branch to copy
     * does not exist.
     */
    readonly copy: (id: GitId, what: GitCopy) => Effect.Effect<boolean>
    readonly defaultBranch: (id: GitId) => Effect.Effect<string | undefined>
    /** Sets the default branch, which need not exist yet; false if the repository does not exist. */
    readonly setDefaultBranch: (id: GitId, branch: BranchName) => Effect.Effect<boolean>
    /** Lists branches by name. */
    readonly branches: (id: GitId) => Effect.Effect<ReadonlyArray<Branch>>
    /** Returns the object ids to which refs point, by full ref name such as `refs/heads/main`; omits missing refs. */
    readonly refs: (id: GitId, names: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>>
    /** Reads a file in the root folder of a branch. */
    readonly file: (id: GitId, branch: string, name: string) => Effect.Effect<string | undefined>
    /** Returns the size in kibibytes; 0 if the repository does not exist. */
    readonly size: (id: GitId) => Effect.Effect<number>
    readonly remove: (id: GitId) => Effect.Effect<boolean>
    readonly list: Effect.Effect<ReadonlyArray<RepositoryId>>
  }
>()("@slipway/domain/forge/GitRepositories") {}
