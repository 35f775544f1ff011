import { Context, type Effect } from "effect"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { ObjectId } from "../git/objectIds.ts"
import type { RepositoryViewer } from "../repositories/visibility.ts"

/** A file in the index of code search; the index contains its words and not its text. */
export interface IndexedFile {
  readonly path: string
  readonly blob: ObjectId
  /** The size in bytes. */
  readonly size: number
  /** The programming language; empty if it is unknown. */
  readonly language: string
  /** The distinct words in lower case; none for binary and large files. */
  readonly words: ReadonlyArray<string>
}

/** An update of the index of a repository. Only the latest one of a repository changes its index. */
export interface IndexRun {
  readonly repositoryId: RepositoryId
  /** The number of the update, which increases with each one. */
  readonly run: number
  /** The time in ISO 8601 at which the update began. */
  readonly at: string
  /** The commit that the index has; null if the last update was not completed, and for an empty branch. */
  readonly commit: ObjectId | null
  /** Whether the commit has more files than the index contains. */
  readonly incomplete: boolean
}

/** The files that a code search considers: those of one repository, or of all with code that the viewer can read. */
export type CodeScope = { readonly repositoryId: RepositoryId } | { readonly viewer: RepositoryViewer }

/** The filter of a code search. */
export interface CodeFilter {
  /** The beginnings of words, in lower case; a file matches if it contains all of them. */
  readonly words: ReadonlyArray<string>
  /** The programming language, ignoring case. */
  readonly language?: string | undefined
  /** A text that the path contains. */
  readonly path?: string | undefined
}

/** The repository of a file that a code search found. */
export interface CodePlace {
  readonly id: RepositoryId
  readonly owner: string
  readonly name: string
  readonly defaultBranch: string
}

/** A file that a code search found. */
export interface FoundCode {
  readonly repository: CodePlace
  readonly path: string
  readonly blob: ObjectId
  readonly size: number
  readonly language: string
  /** Whether the repository has more files than the index contains. */
  readonly incomplete: boolean
}

/**
 * Stores the words of the files on default branches, for code search.
 *
 * Must:
 * - add, replace and remove the files of a repository, and return their blobs by path
 * - ignore changes of an update after a later one of the same repository has begun
 * - forget the indexed commit from the first change of an update until its completion
 * - begin no update of a missing repository, and remove the index with its repository
 * - remove the indexes of repositories in limited batches
 * - return the repositories with a missing or outdated index once, until an update takes too long
 * - find the files with words that begin with all given ones, by repository and path, without gaps or repeats between pages
 * - find files by language, ignoring case, and by a text in their path
 * - find only files in repositories with code that the viewer can read, with the matching total
 */
export class CodeIndexStore extends Context.Service<
  CodeIndexStore,
  {
    /** Begins an update of the index of a repository; undefined if the repository is missing. */
    readonly begin: (repositoryId: RepositoryId, at: string) => Effect.Effect<IndexRun | undefined>
    /** Returns the blob of each file in the index of a repository, by path. */
    readonly files: (repositoryId: RepositoryId) => Effect.Effect<ReadonlyMap<string, ObjectId>>
    /** Removes the files at some paths and stores others, in one transaction; false if a later update has begun. */
    readonly change: (
      run: IndexRun,
      files: { readonly put: ReadonlyArray<IndexedFile>; readonly remove: ReadonlyArray<string> }
    ) => Effect.Effect<boolean>
    /** Completes an update; false if a later one has begun. */
    readonly finish: (
      run: IndexRun,
      state: { readonly commit: ObjectId | null; readonly incomplete: boolean }
    ) => Effect.Effect<boolean>
    /**
     * Returns repositories with an index that is missing or older than their last change, and marks an update as
     * begun at `at`. Omits those with an update that began at `since` or later.
     */
    readonly due: (at: string, since: string, limit: number) => Effect.Effect<ReadonlyArray<RepositoryId>>
    /** Removes the indexes of at most `limit` repositories; returns their number. */
    readonly clear: (limit: number) => Effect.Effect<number>
    readonly search: (scope: CodeScope, filter: CodeFilter, page: PageRequest) => Effect.Effect<Page<FoundCode>>
  }
>()("@slipway/domain/forge/CodeIndexStore") {}
