import { Context, Data, type Effect } from "effect"
import type { GitOverloaded } from "./GitReader.ts"
import type { GitId } from "./gitIds.ts"
import type { ObjectId } from "./objectIds.ts"
import type { CommitData, FileMode, TagData } from "./objects.ts"
import type { RefName } from "./refNames.ts"

/** An edit of a path in a tree: puts an existing blob there, or deletes the path if `to` is undefined. */
export interface TreeEdit {
  readonly path: string
  readonly to: { readonly id: ObjectId; readonly mode: FileMode } | undefined
}

/** The new target of a ref, and its expected current target; `null` means that the ref does not exist. */
export interface RefUpdate {
  readonly ref: RefName
  readonly to: ObjectId | null
  /** The expected current target; any if omitted. */
  readonly from?: ObjectId | null | undefined
}

/** Reports that no ref was moved: another process has moved one of them, or two names conflict. */
export class RefsNotMoved extends Data.TaggedError("RefsNotMoved")<{
  readonly refs: ReadonlyArray<RefName>
}> {}

/** Reports that a patch does not apply, with git's message. */
export class PatchRefused extends Data.TaggedError("PatchRefused")<{ readonly said: string }> {}

/** Reports that the repository or a named object does not exist. */
export class GitMissing extends Data.TaggedError("GitMissing")<{ readonly what: "object" | "repository" }> {}

/** The result of a merge: its tree, or the conflicting files. */
export type MergeResult =
  | { readonly _tag: "Merged"; readonly tree: ObjectId }
  | { readonly _tag: "Conflicted"; readonly paths: ReadonlyArray<string> }

/** Two commits to merge. */
export interface MergeSides {
  readonly ours: ObjectId
  readonly theirs: ObjectId
  /** The merge base, which replaces the best common ancestor. */
  readonly base?: ObjectId | undefined
}

/** The refs to fetch from another repository: `to` is set to the target of `from`, whatever its value was. */
export interface Refspec {
  readonly from: RefName
  readonly to: RefName
}

/** The result of maintenance on a repository; `busy` if a push or another maintenance run is in progress. */
export type MaintenanceResult = "busy" | "done" | "nothing"

/** The result of a check of a repository's objects; `busy` if a push or a maintenance run is in progress. */
export type CheckResult = "busy" | "damaged" | "sound"

type Written<A, E = never> = Effect.Effect<A, E | GitMissing | GitOverloaded>

/**
 * Writes to git repositories without a work tree: first objects, which are not yet visible, then all refs atomically.
 *
 * Must:
 * - write blobs under the same names as git
 * - write trees by editing another tree, and omit folders that become empty
 * - replace a folder with a file, and a file with a folder
 * - write commits under the same names as git, also signed ones
 * - write annotated tags
 * - move all refs or none
 * - accept one of several concurrent updates of a ref
 * - reject refs with conflicting names
 * - reject a branch that would not point to a commit
 * - apply a patch to a tree
 * - reject a patch that does not apply
 * - merge changes of both sides
 * - return the files with conflicts between both sides
 * - merge from the given base
 * - merge unrelated histories
 * - fetch refs and their objects from another repository
 * - run maintenance on a repository without losing data
 * - report an intact repository as sound
 * - write to repositories with SHA-256 object names
 * - reject missing objects and repositories
 */
export class GitWriter extends Context.Service<
  GitWriter,
  {
    /** Returns the object ids in the order of the contents. */
    readonly writeBlobs: (id: GitId, contents: ReadonlyArray<Uint8Array>) => Written<ReadonlyArray<ObjectId>>
    /** Edits a tree, or that of a commit; without a base, the empty tree. Later edits of a path win. */
    readonly writeTree: (id: GitId, base: ObjectId | undefined, edits: ReadonlyArray<TreeEdit>) => Written<ObjectId>
    readonly writeCommit: (id: GitId, commit: CommitData) => Written<ObjectId>
    readonly writeTag: (id: GitId, tag: TagData) => Written<ObjectId>
    readonly updateRefs: (id: GitId, updates: ReadonlyArray<RefUpdate>) => Written<void, RefsNotMoved>
    /** Returns the tree after a patch is applied to a tree, or to that of a commit. */
    readonly applyPatch: (id: GitId, base: ObjectId, patch: Uint8Array) => Written<ObjectId, PatchRefused>
    readonly merge: (id: GitId, sides: MergeSides) => Written<MergeResult>
    readonly fetchFrom: (id: GitId, other: GitId, refspecs: ReadonlyArray<Refspec>) => Written<void>
    /** Packs objects, and writes indexes that make reads fast. */
    readonly maintain: (id: GitId) => Written<MaintenanceResult>
    /** Reads every object, and returns whether all exist and match their hash. */
    readonly check: (id: GitId) => Written<CheckResult>
  }
>()("@slipway/domain/forge/GitWriter") {}
