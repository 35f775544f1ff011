import { Context, Data, type Effect } from "effect"
import type { GitOverloaded } from "./GitReader.ts"
import type { GitId } from "./gitIds.ts"
import type { ObjectId } from "./objectIds.ts"
import type { CommitData, FileMode, TagData } from "./objects.ts"
import type { RefName } from "./refNames.ts"

/** An edit of a path in a git tree: sets the path to an existing blob, or deletes it if `to` is undefined. */
export interface TreeEdit {
  readonly path: string
  readonly to: { readonly id: ObjectId; readonly mode: FileMode } | undefined
}

/** A change of a ref: its new target (null deletes the ref), and the expected current target. */
export interface RefUpdate {
  readonly ref: RefName
  readonly to: ObjectId | null
  /** The expected current target; null if the ref must not exist; omitted if any target is accepted. */
  readonly from?: ObjectId | null | undefined
}

/** Reports that no ref was changed, because another process changed one of them, or two ref names conflict. */
export class RefsNotMoved extends Data.TaggedError("RefsNotMoved")<{
  readonly refs: ReadonlyArray<RefName>
}> {}

/** Reports that a patch does not apply, with git's message. */
export class PatchRefused extends Data.TaggedError("PatchRefused")<{ readonly said: string }> {}

/** Reports that the repository or a named object does not exist. */
export class GitMissing extends Data.TaggedError("GitMissing")<{ readonly what: "object" | "repository" }> {}

/** The result of a merge: the merged tree, or the paths of the files with conflicts. */
export type MergeResult =
  | { readonly _tag: "Merged"; readonly tree: ObjectId }
  | { readonly _tag: "Conflicted"; readonly paths: ReadonlyArray<string> }

/** The two commits to merge, and optionally their merge base. */
export interface MergeSides {
  readonly ours: ObjectId
  readonly theirs: ObjectId
  /** The commit to use as the merge base; the best common ancestor if omitted. */
  readonly base?: ObjectId | undefined
}

/** A ref to fetch from another repository: the ref `to` is set to the target of `from`, also without fast-forward. */
export interface Refspec {
  readonly from: RefName
  readonly to: RefName
}

/** The result of maintenance on a repository; `busy` if a push or another maintenance run is in progress. */
export type MaintenanceResult = "busy" | "done" | "nothing"

/** The result of an integrity check of a repository's objects; `busy` if a push or maintenance is in progress. */
export type CheckResult = "busy" | "damaged" | "sound"

type Written<A, E = never> = Effect.Effect<A, E | GitMissing | GitOverloaded>

/**
 * Writes to git repositories without a work tree. Callers first write objects, which are not yet visible, and then
 * change all refs atomically.
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
    /** Writes blobs, and returns their object ids in the order of the contents. */
    readonly writeBlobs: (id: GitId, contents: ReadonlyArray<Uint8Array>) => Written<ReadonlyArray<ObjectId>>
    /** Writes the tree that results from edits of a tree or a commit's tree; without a base, of an empty tree. */
    readonly writeTree: (id: GitId, base: ObjectId | undefined, edits: ReadonlyArray<TreeEdit>) => Written<ObjectId>
    readonly writeCommit: (id: GitId, commit: CommitData) => Written<ObjectId>
    readonly writeTag: (id: GitId, tag: TagData) => Written<ObjectId>
    readonly updateRefs: (id: GitId, updates: ReadonlyArray<RefUpdate>) => Written<void, RefsNotMoved>
    /** Applies a patch to a tree or a commit's tree, and returns the id of the new tree. */
    readonly applyPatch: (id: GitId, base: ObjectId, patch: Uint8Array) => Written<ObjectId, PatchRefused>
    readonly merge: (id: GitId, sides: MergeSides) => Written<MergeResult>
    readonly fetchFrom: (id: GitId, other: GitId, refspecs: ReadonlyArray<Refspec>) => Written<void>
    /** Runs git maintenance: packs objects, and writes indexes that make reads fast. */
    readonly maintain: (id: GitId) => Written<MaintenanceResult>
    /** Reads every object, and returns whether all exist and match their hash. */
    readonly check: (id: GitId) => Written<CheckResult>
  }
>()("@slipway/domain/forge/GitWriter") {}
