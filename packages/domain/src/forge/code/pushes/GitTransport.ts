import { Context, Data, Effect, type Scope, type Stream } from "effect"
import type { GitHookProgram } from "../git/GitHook.ts"
import type { GitId } from "../git/gitIds.ts"
import type { RefChange } from "../protections/refChange.ts"
import type { PushedCommit } from "./Push.ts"

/** The git commands that serve clients: `upload-pack` for fetches, and `receive-pack` for pushes. */
export type GitService = "upload-pack" | "receive-pack" | "upload-archive"

/**
 * The phase of a connection with a git client. Over HTTP, `advertise` lists the refs and `answer` responds to one
 * request; over SSH, `talk` is the whole dialog.
 */
export type GitExchange = "advertise" | "answer" | "talk"

/** The functions for the check of commit signatures: validity, and whether a branch requires signatures. */
export interface SignatureCheck {
  readonly isValid: (commit: Uint8Array) => Effect.Effect<boolean>
  readonly isRequiredOn: (branch: string) => boolean
}

/** Reads the new objects of a push before they become visible in the repository. */
export interface PushedObjects {
  /** Returns whether the change is a force push: the old commit is not an ancestor of the new one. */
  readonly forced: (change: RefChange) => Effect.Effect<boolean>
  /** Returns the paths of the changed files; undefined if there are more than the limit. */
  readonly files: (change: RefChange) => Effect.Effect<ReadonlyArray<string> | undefined>
  /** Returns the newest `most` commits that are new in the repository, and the total number of new commits. */
  readonly commits: (
    change: RefChange,
    most: number
  ) => Effect.Effect<{ readonly commits: ReadonlyArray<PushedCommit>; readonly count: number }>
  /**
   * Returns the id of a commit without a valid signature that the change adds to its ref; null if all added commits are
   * signed, and undefined if there are too many to check.
   *
   * A commit is added to a ref even if another ref already contains it. For a new ref, commits that are on a branch
   * with required signatures are not checked again.
   */
  readonly unsigned: (change: RefChange, signatures: SignatureCheck) => Effect.Effect<string | null | undefined>
  /** Returns a new object of more than `most` bytes; undefined if there is none. */
  readonly largerThan: (most: number) => Effect.Effect<{ readonly object: string; readonly size: number } | undefined>
  /** The size of the new objects on disk, in bytes. */
  readonly size: Effect.Effect<number>
}

/** A push of a client before it is decided: the ref changes, the push options and the new objects. */
export interface ProposedPush {
  readonly changes: ReadonlyArray<RefChange>
  readonly options: ReadonlyArray<string>
  readonly objects: PushedObjects
}

/** The decision on a push: the refused refs (all others are allowed), and messages for the client. */
export interface PushVerdict {
  readonly refused: ReadonlySet<string>
  readonly messages: ReadonlyArray<string>
}

/**
 * Returns whether the signature in a raw commit object is valid.
 *
 * The default implementation accepts no signature, because it cannot verify any.
 */
export class CommitSignatures extends Context.Reference("@slipway/domain/forge/CommitSignatures", {
  defaultValue: (): { readonly count: (commit: Uint8Array) => Effect.Effect<boolean> } => ({
    count: () => Effect.succeed(false)
  })
}) {}

/** The result of a push to `refs/for/`, which opens a pull request: the ref with its commits, or the refusal. */
export type ProposalAnswer =
  | {
      readonly _tag: "Kept"
      readonly ref: string
      /** The previous commit of the ref; undefined for a new ref. */
      readonly before: string | undefined
      readonly after: string
      readonly forced: boolean
      readonly messages: ReadonlyArray<string>
    }
  | { readonly _tag: "Refused"; readonly reason: string }

/** A request to run git for a client: the repository, the git command, and the client's input. */
export interface GitRequest {
  readonly repository: GitId
  readonly service: GitService
  readonly exchange: GitExchange
  /** The protocol version that the client requests, in the format of the environment variable `GIT_PROTOCOL`. */
  readonly protocol: string | undefined
  /** The input from the client; if it fails, git is stopped. */
  readonly input: Stream.Stream<Uint8Array>
  /** Decides a push before any part of it becomes visible; if omitted or failed, no ref changes. */
  readonly decide?: (push: ProposedPush) => Effect.Effect<PushVerdict>
  /**
   * Handles an allowed push to a ref below `refs/for/`, which opens a pull request. Git itself does not write this ref,
   * but its objects are already in the repository. If omitted, such refs are refused.
   */
  readonly propose?: (change: RefChange) => Effect.Effect<ProposalAnswer>
  /** The custom hooks of the repository that git runs on a push, after the decision. */
  readonly hooks?: ReadonlyArray<GitHookProgram>
}

/** The response of git to a client: its output, its error output and its exit code. */
export interface GitAnswer {
  /** The output for the client; the stream ends when git exits, with any exit code. */
  readonly output: Stream.Stream<Uint8Array>
  /** The error output of git, which SSH clients receive separately; `exitCode` is available after its end. */
  readonly said: Stream.Stream<Uint8Array>
  readonly exitCode: Effect.Effect<number>
}

/** Reports that too many git clients are connected, with the seconds after which to retry. */
export class GitBusy extends Data.TaggedError("GitBusy")<{ readonly seconds: number }> {}

/** Reports that the git repository does not exist yet, because it is still being created. */
export class GitRepositoryMissing extends Data.TaggedError("GitRepositoryMissing")<{
  readonly repository: GitId
}> {}

/**
 * Serves git clients from the git repositories.
 *
 * Must:
 * - advertise refs to a client
 * - send missing objects to a client
 * - accept the allowed refs of a push, and store nothing of a rejected push
 * - decide each ref of a push separately
 * - change no ref when the decision about a push fails
 * - hide the objects of a push until it is decided
 * - write no ref below refs/for/, and report the answer of the service for it
 * - run the custom hooks of a repository on allowed refs, and reject the refs that they reject
 * - report a missing repository
 */
export class GitTransport extends Context.Service<
  GitTransport,
  {
    /** Runs git for a client; its processes are stopped when the scope closes. */
    readonly serve: (request: GitRequest) => Effect.Effect<GitAnswer, GitBusy | GitRepositoryMissing, Scope.Scope>
  }
>()("@slipway/domain/forge/GitTransport") {}

/**
 * Validates the protocol version that a client requests; undefined if it is invalid. The value becomes the environment
 * variable `GIT_PROTOCOL` of git.
 *
 * @example
 * protocolOf("version=2") // => "version=2"
 * protocolOf("version=2:x; rm") // => undefined
 */
export const protocolOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^[a-z0-9=:.-]{1,64}$/.test(text) ? text : undefined
