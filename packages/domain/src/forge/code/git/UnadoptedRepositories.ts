import { Context, type Effect, Schema } from "effect"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

import type { ObjectFormat } from "./objectIds.ts"

/** The owner and the name of a git repository that waits for adoption. */
export interface UnadoptedName {
  readonly owner: string
  readonly name: string
}

/** A git repository on disk that no repository belongs to yet; an administrator can adopt it. */
export interface UnadoptedRepository {
  readonly defaultBranch: string
  /** Whether the git repository has no branches. */
  readonly empty: boolean
  readonly objectFormat: ObjectFormat
}

/** Reports that the folder is not a complete git repository, or depends on objects of another one. */
export class UnadoptedBroken extends Schema.TaggedError<UnadoptedBroken>()("UnadoptedBroken", {
  problem: Schema.String
}) {}

/**
 * Manages git repositories that an operator put in a folder and that no repository belongs to yet.
 *
 * Must:
 * - list only repositories that wait under valid owner and repository names, by name
 * - return nothing for a missing repository and for names that lead out of the folder
 * - adopt only the branches, tags and objects of a repository under the given id
 * - reject a repository that is broken, borrows objects or has links, and leave no partial copy
 * - keep a git repository unchanged when it is adopted again
 * - remove a waiting repository once, and report when it is missing
 */
export class UnadoptedRepositories extends Context.Service<
  UnadoptedRepositories,
  {
    readonly list: Effect.Effect<ReadonlyArray<UnadoptedName>>
    readonly find: (which: UnadoptedName) => Effect.Effect<UnadoptedRepository | undefined, UnadoptedBroken>
    /** Copies a waiting git repository to a repository id, and keeps the original; false if it does not exist. */
    readonly adopt: (which: UnadoptedName, id: RepositoryId, madeAt: string) => Effect.Effect<boolean, UnadoptedBroken>
    readonly remove: (which: UnadoptedName) => Effect.Effect<boolean>
  }
>()("@slipway/domain/forge/UnadoptedRepositories") {}
