import { Context, Data, type Effect, type Stream } from "effect"
import type { CountedPage, PageRequest } from "../../../Page.ts"
import type { GitId } from "./gitIds.ts"
import type { ObjectFormat, ObjectId } from "./objectIds.ts"
import type { Commit, FileMode, ObjectKind, RawObject, TreeEntry } from "./objects.ts"
import type { RefName, Revision } from "./refNames.ts"

/** Reports that a git operation exceeded a limit: its time, its output size, or the number of concurrent processes. */
export class GitOverloaded extends Data.TaggedError("GitOverloaded")<{
  readonly of: "output" | "programs" | "time"
}> {}

/** The git object to which a revision, such as a branch name, resolves. */
export interface Resolved {
  readonly id: ObjectId
  readonly kind: ObjectKind
  /** The commit itself, or the commit of an annotated tag; undefined for trees and blobs. */
  readonly commit: ObjectId | undefined
  /** The ref that the revision names; undefined for an object id, and for a ref with steps such as `main~2`. */
  readonly ref: RefName | undefined
}

/** A git ref and the object it points to; for an annotated tag, `peeled` is the tagged object. */
export interface Ref {
  readonly name: RefName
  readonly id: ObjectId
  readonly kind: ObjectKind
  readonly peeled: { readonly id: ObjectId; readonly kind: ObjectKind } | undefined
}

/** The start and the filters of a commit history. */
export interface History {
  readonly from: ReadonlyArray<ObjectId>
  /** Excludes these commits and all their ancestors. */
  readonly not?: ReadonlyArray<ObjectId> | undefined
  /** Only commits that change this file or folder. */
  readonly path?: string | undefined
  /** Only commits with this text in the author's name or email address, ignoring case. */
  readonly author?: string | undefined
  /** The earliest commit time in seconds since 1970; `until` is the latest one. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly firstParent?: boolean | undefined
  /** Whether each commit comes before its parents, as in a graph; otherwise the newest comes first. */
  readonly childrenFirst?: boolean | undefined
}

/** The page of a commit history: the number of commits to skip, and the maximum number to return. */
export interface HistoryWindow {
  readonly skip: number
  readonly limit: number
}

/** How two branches, base and head, have diverged. */
export interface Divergence {
  /** The best common ancestor; undefined for unrelated histories. */
  readonly mergeBase: ObjectId | undefined
  /** The number of commits that are only in the head; `behind` counts those that are only in the base. */
  readonly ahead: number
  readonly behind: number
}

/** The type of a file change; `changed` means that the type of the file changed, such as to a symbolic link. */
export type FileStatus = "added" | "changed" | "copied" | "deleted" | "modified" | "renamed"

/** The old or new version of a changed file: its path, mode and object id. */
export interface FileVersion {
  readonly path: string
  readonly mode: FileMode
  readonly id: ObjectId
}

/** A changed file with its old version (undefined if it is new) and its new version (undefined if it was deleted). */
export interface FileChange {
  readonly status: FileStatus
  readonly before: FileVersion | undefined
  readonly after: FileVersion | undefined
  /** The number of added lines; 0 for binary files. */
  readonly additions: number
  readonly deletions: number
  readonly binary: boolean
}

/**
 * Returns whether a file change is more than a change of whitespace. Its lines must have been counted with whitespace
 * differences ignored.
 */
export const hasNonWhitespaceChange = ({ additions, after, before, binary, deletions }: FileChange): boolean =>
  before?.path !== after?.path || before?.mode !== after?.mode || binary || additions + deletions > 0

/** The two commits or trees to compare; an undefined `from` is the empty tree. */
export interface Difference {
  readonly from: ObjectId | undefined
  readonly to: ObjectId
  /** Compares only these files and folders; all if omitted. */
  readonly paths?: ReadonlyArray<string> | undefined
  /** The ignored whitespace differences; only `changes` uses it. */
  readonly whitespace?: IgnoredWhitespace | undefined
}

/** The whitespace differences that a comparison can ignore: all, changes of its amount, or at line ends. */
export const ignoredWhitespaces = ["all", "change", "eol"] as const
export type IgnoredWhitespace = (typeof ignoredWhitespaces)[number]

/** The options of the text format of a diff. */
export interface PatchStyle {
  /** The format: one diff, or one email per commit as `git format-patch` prints it, oldest first. */
  readonly style: "diff" | "mails"
  /** The number of context lines around each change; three by default. */
  readonly context?: number | undefined
  readonly ignoreWhitespace?: "all" | "change" | "eol" | undefined
}

/** The file formats of source archives. */
export type ArchiveFormat = "tar.gz" | "zip"

/** The location of a git note: its blob, its path in the notes tree, and the commit of the notes ref. */
export interface Note {
  readonly blob: ObjectId
  /** The path of the note in the tree of the notes ref. */
  readonly path: string
  /** The commit of the notes ref that contains the note. */
  readonly commit: ObjectId
}

/** A range of bytes of a git blob. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

type Read<A> = Effect.Effect<A, GitOverloaded>

/** The maximum size of a file for `git blame`, in bytes. */
export const largestBlamed = 1024 * 1024

/** A range of lines: the number of the first line, counted from 1, and the number of lines. */
export interface LineRange {
  readonly from: number
  readonly count: number
}

/** A result of `git blame`: consecutive lines, and the commit that changed them last. */
export interface BlamedLines extends LineRange {
  readonly commit: ObjectId
}

/**
 * Reads the contents of git repositories.
 *
 * For a missing object or repository, the result is empty: `undefined`, an empty list, or an empty map. Paths are texts
 * in the format of `decodePath`.
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
 * - list the commits of several branches, each before its parents, also with wrong clocks
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
    /** Lists the refs below a prefix; with a text, only refs with this text in their name, ignoring case. */
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
    /** Returns the sizes of objects in bytes, in the requested order; undefined for missing objects. */
    readonly sizes: (id: GitId, ids: ReadonlyArray<ObjectId>) => Read<ReadonlyArray<number | undefined>>
    /** Lists the entries of a tree or of a commit's tree; in a recursive list, a folder comes before its contents. */
    readonly tree: (
      id: GitId,
      of: ObjectId,
      how: { readonly recursive: boolean } & PageRequest
    ) => Read<CountedPage<TreeEntry>>
    /**
     * Finds entries by path in a tree or a commit's tree, in the order of the paths; an empty path is the tree itself.
     */
    readonly entries: (
      id: GitId,
      of: ObjectId,
      paths: ReadonlyArray<string>
    ) => Read<ReadonlyArray<TreeEntry | undefined>>
    /** Returns the commit that last changed each path, by path. */
    readonly lastCommits: (
      id: GitId,
      commit: ObjectId,
      paths: ReadonlyArray<string>
    ) => Read<ReadonlyMap<string, ObjectId>>
    readonly log: (id: GitId, history: History, window: HistoryWindow) => Read<ReadonlyArray<ObjectId>>
    readonly count: (id: GitId, history: History) => Read<number>
    readonly divergence: (id: GitId, base: ObjectId, head: ObjectId) => Read<Divergence | undefined>
    /** Returns the changed files between two commits or trees, sorted by path. */
    readonly changes: (id: GitId, of: Difference) => Read<ReadonlyArray<FileChange>>
    readonly changesOf: (
      id: GitId,
      commits: ReadonlyArray<ObjectId>
    ) => Read<ReadonlyMap<ObjectId, ReadonlyArray<FileChange>>>
    readonly patch: (id: GitId, of: Difference, style: PatchStyle) => Stream.Stream<Uint8Array, GitOverloaded>
    /** Streams a source archive of a tree; all paths in the archive begin with the folder `prefix`. */
    readonly archive: (
      id: GitId,
      of: ObjectId,
      format: ArchiveFormat,
      prefix: string
    ) => Stream.Stream<Uint8Array, GitOverloaded>
    /** Streams a git bundle with a commit and all its ancestors; it contains the given ref and HEAD. */
    readonly bundle: (id: GitId, of: ObjectId, as: RefName) => Stream.Stream<Uint8Array, GitOverloaded>
    /** Returns which commit last changed each line of a text file; empty for files larger than `largestBlamed`. */
    readonly blame: (id: GitId, commit: ObjectId, path: string, range: LineRange) => Read<ReadonlyArray<BlamedLines>>
    readonly note: (id: GitId, notes: RefName, of: ObjectId) => Read<Note | undefined>
  }
>()("@slipway/domain/forge/GitReader") {}
