import { Context, Data, Effect, type Scope, type Stream } from "effect"
import type { GitHookProgram } from "../git/GitHook.ts"
import type { GitId } from "../git/gitIds.ts"
import type { RefChange } from "../protections/refChange.ts"
import type { PushedCommit } from "./Push.ts"

/** The git programs that serve clients. */
export type GitService = "upload-pack" | "receive-pack" | "upload-archive"

/**
 * The phase of a git exchange: the ref advertisement, one response to the client's input (both over HTTP), or a dialog
 * (SSH).
 */
export type GitExchange = "advertise" | "answer" | "talk"

/** Decides which signatures of commits are valid, and which branches accept only signed commits. */
export interface SignatureCheck {
  readonly isValid: (commit: Uint8Array) => Effect.Effect<boolean>
  readonly isRequiredOn: (branch: string) => boolean
}

/** The objects of a push, read before any of them becomes visible. */
export interface PushedObjects {
  /** Returns whether the old commit is not an ancestor of the new one. */
  readonly forced: (change: RefChange) => Effect.Effect<boolean>
  /** Returns the paths that differ; undefined when they exceed the limit. */
  readonly files: (change: RefChange) => Effect.Effect<ReadonlyArray<string> | undefined>
  /** Returns the newest commits that the repository doesn't have yet, and their total number. */
  readonly commits: (
    change: RefChange,
    most: number
  ) => Effect.Effect<{ readonly commits: ReadonlyArray<PushedCommit>; readonly count: number }>
  /**
   * Returns a commit that the change adds to its ref without a valid signature; `null` when all are signed,
   * `undefined` when there are too many to check.
   *
   * A commit counts as added even if another ref contains it. For a new ref, commits of branches that check signatures
   * themselves are not checked again.
   */
  readonly unsigned: (change: RefChange, signatures: SignatureCheck) => Effect.Effect<string | null | undefined>
  /** Returns a new object larger than a number of bytes; undefined if there is none. */
  readonly largerThan: (most: number) => Effect.Effect<{ readonly object: string; readonly size: number } | undefined>
  /** The size of the stored objects, in bytes. */
  readonly size: Effect.Effect<number>
}

/** A push that a client requests. */
export interface ProposedPush {
  readonly changes: ReadonlyArray<RefChange>
  readonly options: ReadonlyArray<string>
  readonly objects: PushedObjects
}

/** The result of checking a push: the allowed refs, each decided separately, and the messages for the client. */
export interface PushVerdict {
  readonly refused: ReadonlySet<string>
  readonly messages: ReadonlyArray<string>
}

/**
 * Returns whether the signature of a commit is valid, from the raw commit object.
 *
 * The default accepts none: an unverified signature protects nothing.
 */
export class CommitSignatures extends Context.Reference("@slipway/domain/forge/CommitSignatures", {
  defaultValue: (): { readonly count: (commit: Uint8Array) => Effect.Effect<boolean> } => ({
    count: () => Effect.succeed(false)
  })
}) {}

/** The result of a push to `refs/for/`: the ref that keeps its commits, or why it is refused. */
export type ProposalAnswer =
  | {
      readonly _tag: "Kept"
      readonly ref: string
      /** The former commit of the ref; undefined for a new one. */
      readonly before: string | undefined
      readonly after: string
      readonly forced: boolean
      readonly messages: ReadonlyArray<string>
    }
  | { readonly _tag: "Refused"; readonly reason: string }

/** A request to git on behalf of a client. */
export interface GitRequest {
  readonly repository: GitId
  readonly service: GitService
  readonly exchange: GitExchange
  /** The protocol versions that the client supports, in the format of `GIT_PROTOCOL`. */
  readonly protocol: string | undefined
  /** The input from the client; if it breaks off, processing stops. */
  readonly input: Stream.Stream<Uint8Array>
  /** Decides a push before any of it becomes visible; without a decision nothing changes. */
  readonly decide?: (push: ProposedPush) => Effect.Effect<PushVerdict>
  /**
   * Answers for an allowed ref below `refs/for/`, which git does not write; its objects are in the repository by then.
   * Without it, such refs are refused.
   */
  readonly propose?: (change: RefChange) => Effect.Effect<ProposalAnswer>
  /** The custom hooks of the repository that git runs on a push, after the decision. */
  readonly hooks?: ReadonlyArray<GitHookProgram>
}

/** The response of git. */
export interface GitAnswer {
  /** The output for the client, as a stream; it ends when git has exited, successfully or not. */
  readonly output: Stream.Stream<Uint8Array>
  /** The stderr output of git, which SSH clients read separately; at its end, the exit status of git. */
  readonly said: Stream.Stream<Uint8Array>
  readonly exitCode: Effect.Effect<number>
}

/** Reports that too many clients are connected, with the retry delay. */
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
    /** Serves the request; the processes that it starts exit with the scope. */
    readonly serve: (request: GitRequest) => Effect.Effect<GitAnswer, GitBusy | GitRepositoryMissing, Scope.Scope>
  }
>()("@slipway/domain/forge/GitTransport") {}

/**
 * Returns the client's protocol versions for `GIT_PROTOCOL`, or undefined if invalid: the value becomes part of the
 * environment.
 *
 * @example
 * protocolOf("version=2") // => "version=2"
 * protocolOf("version=2:x; rm") // => undefined
 */
export const protocolOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^[a-z0-9=:.-]{1,64}$/.test(text) ? text : undefined
