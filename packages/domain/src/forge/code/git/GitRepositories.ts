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
 * - make a bare repository without a commit, whose default branch is the one asked for
 * - make a first commit of the files given, as its author and at its time
 * - name commits by SHA-1, or by SHA-256 where that is asked for
 * - leave a repository as it is when it is made once more
 * - put aside what is there under its number from another repository
 * - copy the branches and tags of another repository, or one branch, and nothing else
 * - keep a copy whole when what it was copied from is gone
 * - tell that there is nothing to copy
 * - take every name of a branch that the domain takes
 * - make another branch the default one, also one that is yet to come
 * - answer nothing for a repository that is not there
 * - tell which objects refs name, of those that are there
 * - tell how large a repository is
 * - remove a repository once, and tell when there was none
 * - list what is there, by number
 * - keep the git repository of a wiki apart from the one beside it, and leave it out of the list
 * - keep texts as they are, whatever they hold
 * - make repositories side by side
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
