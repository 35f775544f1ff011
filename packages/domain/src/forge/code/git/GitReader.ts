import { Context, Data, type Effect, type Stream } from "effect"
import type { CountedPage, PageRequest } from "../../../Page.ts"
import type { GitId } from "./gitIds.ts"
import type { ObjectFormat, ObjectId } from "./objectIds.ts"
import type { Commit, FileMode, ObjectKind, RawObject, TreeEntry } from "./objects.ts"
import type { RefName, Revision } from "./refNames.ts"

/** Reports that an operation exceeded a limit: time, memory, or concurrent processes. */
export class GitOverloaded extends Data.TaggedError("GitOverloaded")<{
  readonly of: "output" | "programs" | "time"
}> {}

/** The object that a revision resolves to. */
export interface Resolved {
  readonly id: ObjectId
  readonly kind: ObjectKind
  /** The commit that it resolves to through tags; undefined for other objects. */
  readonly commit: ObjectId | undefined
  /** The named ref, unless steps follow it. */
  readonly ref: RefName | undefined
}

/** A ref with its target; `peeled` is the target object of an annotated tag. */
export interface Ref {
  readonly name: RefName
  readonly id: ObjectId
  readonly kind: ObjectKind
  readonly peeled: { readonly id: ObjectId; readonly kind: ObjectKind } | undefined
}

/** The filter of the listed ancestors. */
export interface History {
  readonly from: ReadonlyArray<ObjectId>
  /** Excludes these commits and all their ancestors. */
  readonly not?: ReadonlyArray<ObjectId> | undefined
  /** Excludes commits without changes of this file or folder. */
  readonly path?: string | undefined
  /** A part of the author's name or email address, ignoring case. */
  readonly author?: string | undefined
  /** In seconds since 1970, by the committer's clock. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly firstParent?: boolean | undefined
}

/** The window of a commit history. */
export interface HistoryWindow {
  readonly skip: number
  readonly limit: number
}

/** The divergence of two branches. */
export interface Divergence {
  /** The best common ancestor; undefined for unrelated histories. */
  readonly mergeBase: ObjectId | undefined
  /** The number of commits that the head has and the base lacks. */
  readonly ahead: number
  readonly behind: number
}

/** The change of a file. */
export type FileStatus = "added" | "changed" | "copied" | "deleted" | "modified" | "renamed"

/** One side of a changed file. */
export interface FileVersion {
  readonly path: string
  readonly mode: FileMode
  readonly id: ObjectId
}

/** A changed file. The status `changed` means that its type changed, such as from a file to a symbolic link. */
export interface FileChange {
  readonly status: FileStatus
  readonly before: FileVersion | undefined
  readonly after: FileVersion | undefined
  /** The number of lines; undefined for binary files. */
  readonly additions: number
  readonly deletions: number
  readonly binary: boolean
}

/** Returns whether a change is more than whitespace, if its lines were counted without whitespace differences. */
export const hasNonWhitespaceChange = ({ additions, after, before, binary, deletions }: FileChange): boolean =>
  before?.path !== after?.path || before?.mode !== after?.mode || binary || additions + deletions > 0

/** Two commits or trees; no left side means the empty tree. */
export interface Difference {
  readonly from: ObjectId | undefined
  readonly to: ObjectId
  /** Excludes other files and folders. */
  readonly paths?: ReadonlyArray<string> | undefined
  /** The ignored whitespace differences; only `changes` uses it. */
  readonly whitespace?: IgnoredWhitespace | undefined
}

/** The whitespace that a line comparison ignores: all of it, its amount, or that at line ends. */
export const ignoredWhitespaces = ["all", "change", "eol"] as const
export type IgnoredWhitespace = (typeof ignoredWhitespaces)[number]

/** The options of a diff's text. */
export interface PatchStyle {
  /** One diff, or one mail per commit like `git format-patch`, oldest first. */
  readonly style: "diff" | "mails"
  /** The number of context lines around each change; three by default. */
  readonly context?: number | undefined
  readonly ignoreWhitespace?: "all" | "change" | "eol" | undefined
}

/** The archive formats. */
export type ArchiveFormat = "tar.gz" | "zip"

/** The text of a git note, by its path. */
export interface Note {
  readonly blob: ObjectId
  /** The path in the notes tree. */
  readonly path: string
  /** The commit of the notes. */
  readonly commit: ObjectId
}

/** The range of a blob to read. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

type Read<A> = Effect.Effect<A, GitOverloaded>

/** The largest file, in bytes, with lines that are attributed to commits. */
export const largestBlamed = 1024 * 1024

/** A range of lines, from one on. */
export interface LineRange {
  readonly from: number
  readonly count: number
}

/** Consecutive lines of a file that one commit added or changed last. */
export interface BlamedLines extends LineRange {
  readonly commit: ObjectId
}

/**
 * Reads the contents of git repositories, by the id of the repository.
 *
 * A missing object or repository yields an empty result: `undefined`, an empty list, or an empty map. Paths are texts
 * in the form of `decodePath`.
 *
 * Must:
 * - resolve branches, tags, refs, HEAD, object names, their abbreviations, and steps from them
 * - prefer a full object name to a branch, a branch to a tag, and a tag to an abbreviated object name
 * - return nothing for missing objects and repositories
 * - list refs below a prefix by name, in pages, with the objects of tags
 * - list refs with names that contain a text
 * - hide the internal refs of the forge
 * - read objects of each type as git stores them, and omit contents above the limit
 * - read all fields of commits, in any encoding
 * - stream contents, completely and in part
 * - list trees, also recursively, in pages
 * - find entries by path, through folders, and distinguish links and submodules
 * - keep names of files that are not text
 * - return the sizes of many blobs in one call
 * - return the last commit of each path
 * - list commits newest first, by path, author and time, without excluded ones
 * - count the commits of a history
 * - return how far two commits are ahead of and behind each other
 * - list changed files, with renames and line counts
 * - count lines without whitespace changes, and omit files without other changes
 * - return the changes of many commits against their first parents
 * - write diffs as git does
 * - write a history as patch emails, one per commit
 * - pack the files of a tree
 * - bundle a branch with its history
 * - find the note of a commit
 * - name the commit that last changed each line of a file
 * - name no commit for the lines of a large file, a folder or a link
 * - read repositories with SHA-256 object names
 * - treat hostile texts as plain data
 */
export class GitReader extends Context.Service<
  GitReader,
  {
    readonly format: (id: GitId) => Effect.Effect<ObjectFormat | undefined, GitOverloaded>
    readonly resolve: (id: GitId, revision: Revision) => Read<Resolved | undefined>
    /** Lists refs with names that contain a text after the prefix, ignoring case; all of them without a text. */
    readonly refs: (
      id: GitId,
      prefix: string,
      page: PageRequest,
      containing?: string | undefined
    ) => Read<CountedPage<Ref>>
    /** Returns objects in the requested order, each with contents of at most `most` bytes. */
    readonly objects: (
      id: GitId,
      ids: ReadonlyArray<ObjectId>,
      most: number
    ) => Read<ReadonlyArray<RawObject | undefined>>
    /** Returns the commits in the requested order; undefined for objects that are missing or not commits. */
    readonly commits: (id: GitId, ids: ReadonlyArray<ObjectId>) => Read<ReadonlyArray<Commit | undefined>>
    readonly content: (id: GitId, blob: ObjectId, range?: ByteRange) => Stream.Stream<Uint8Array, GitOverloaded>
    /** Returns the sizes in bytes, in the requested order. */
    readonly sizes: (id: GitId, ids: ReadonlyArray<ObjectId>) => Read<ReadonlyArray<number | undefined>>
    /** Lists a tree, or that of a commit; recursively, a folder precedes its contents. */
    readonly tree: (
      id: GitId,
      of: ObjectId,
      how: { readonly recursive: boolean } & PageRequest
    ) => Read<CountedPage<TreeEntry>>
    /**
     * Finds entries by path in a tree, or that of a commit, in the requested order; the empty path is the tree itself.
     */
    readonly entries: (
      id: GitId,
      of: ObjectId,
      paths: ReadonlyArray<string>
    ) => Read<ReadonlyArray<TreeEntry | undefined>>
    /** The result is keyed by path. */
    readonly lastCommits: (
      id: GitId,
      commit: ObjectId,
      paths: ReadonlyArray<string>
    ) => Read<ReadonlyMap<string, ObjectId>>
    readonly log: (id: GitId, history: History, window: HistoryWindow) => Read<ReadonlyArray<ObjectId>>
    readonly count: (id: GitId, history: History) => Read<number>
    readonly divergence: (id: GitId, base: ObjectId, head: ObjectId) => Read<Divergence | undefined>
    /** The result is ordered by path. */
    readonly changes: (id: GitId, of: Difference) => Read<ReadonlyArray<FileChange>>
    readonly changesOf: (
      id: GitId,
      commits: ReadonlyArray<ObjectId>
    ) => Read<ReadonlyMap<ObjectId, ReadonlyArray<FileChange>>>
    readonly patch: (id: GitId, of: Difference, style: PatchStyle) => Stream.Stream<Uint8Array, GitOverloaded>
    /** Every path begins with the prefix, which is a folder. */
    readonly archive: (
      id: GitId,
      of: ObjectId,
      format: ArchiveFormat,
      prefix: string
    ) => Stream.Stream<Uint8Array, GitOverloaded>
    /** Packs a commit and all its ancestors as the given ref, and as HEAD. */
    readonly bundle: (id: GitId, of: ObjectId, as: RefName) => Stream.Stream<Uint8Array, GitOverloaded>
    /** Attributes the lines of a text file of up to `largestBlamed` bytes, in order; empty beyond its end. */
    readonly blame: (id: GitId, commit: ObjectId, path: string, range: LineRange) => Read<ReadonlyArray<BlamedLines>>
    readonly note: (id: GitId, notes: RefName, of: ObjectId) => Read<Note | undefined>
  }
>()("@slipway/domain/forge/GitReader") {}
