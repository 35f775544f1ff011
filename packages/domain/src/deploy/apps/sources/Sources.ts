import { Context, type Effect, type Redacted, Schema, type Scope, type Stream } from "effect"

/** How a repository is read: by anyone, with an SSH key, or with a token over HTTPS. */
export type RepositoryAccess =
  | { readonly _tag: "Anyone" }
  | { readonly _tag: "Key"; readonly privateKey: Redacted.Redacted }
  | {
      readonly _tag: "Token"
      readonly username: string
      readonly token: Redacted.Redacted
      /** Whether the token is not used for submodules: its account can read repositories that the pusher cannot. */
      readonly isForRepositoryOnly?: boolean
    }

/** The repository files to check out. */
export interface CheckoutRequest {
  /** The address of the repository: http(s)://, ssh:// or user@host:path. */
  readonly repository: string
  readonly branch: string
  /** A commit by its hexadecimal digits, or `HEAD` for the newest one of the branch. */
  readonly commit: string
  readonly access: RepositoryAccess
  /**
   * A pull request to check out at its newest commit, in place of the branch.
   *
   * Its author may have push access only to another repository, so submodules receive no credentials of this one
   * (invariant I21).
   */
  readonly pullRequest?: number
  /** Whether submodules are fetched recursively; false by default, which leaves their folders empty. */
  readonly submodules?: boolean
  /** Whether the content of Git LFS files is fetched; false by default, which leaves pointers. */
  readonly lfs?: boolean
}

/** The type of the entry that a path of a checkout leads to. */
export type Entry = "file" | "folder" | "link"

/** Reports that a repository can't be read, and why, without any secret. */
export class CheckoutFailed extends Schema.TaggedError<CheckoutFailed>()("CheckoutFailed", {
  because: Schema.String
}) {}

/** The files of one commit; paths begin at the top folder of the repository, with or without a slash. */
export interface Checkout {
  /** The full commit id. */
  readonly commit: string
  /** The first line of the commit message. */
  readonly subject: string
  /** Returns the type of the entry at a path; undefined when it does not exist. */
  readonly entry: (path: string) => Effect.Effect<Entry | undefined, CheckoutFailed>
  /** Reads a file as text; undefined when it does not exist, is not a file, or is larger than 1 MiB. */
  readonly readText: (path: string) => Effect.Effect<string | undefined, CheckoutFailed>
  /** Packs a folder as a tar archive, with files that are added to it or replace existing ones. */
  readonly archive: (
    folder: string,
    added?: Readonly<Record<string, string>>
  ) => Stream.Stream<Uint8Array, CheckoutFailed>
  /**
   * Writes the files into a new local directory, for programs that read them; it is removed with the scope.
   *
   * No link in it leads outside.
   */
  readonly directory: Effect.Effect<string, CheckoutFailed, Scope.Scope>
}

/**
 * Fetches the files of repositories.
 *
 * Must:
 * - check out the newest commit of a branch, or the given commit
 * - report a missing repository, branch or commit
 * - distinguish files, folders, links and missing paths
 * - read files as text, up to 1 MiB (invariant I25)
 * - pack a folder together with added files
 * - write the files into a directory without links that leave it
 * - read a private repository only with its token
 * - fetch submodules recursively on request
 * - use the credentials of a repository only for submodules of the same host (invariant I14)
 * - never send submodules a token that is only for the repository (invariant I14)
 * - check out the newest commit of a pull request, without credentials for its submodules (invariant I21)
 * - run no command that a name contains (invariant I23)
 */
export class Sources extends Context.Service<
  Sources,
  {
    /** Fetches the files of one commit, which are removed with the scope. */
    readonly checkout: (request: CheckoutRequest) => Effect.Effect<Checkout, CheckoutFailed, Scope.Scope>
  }
>()("@slipway/domain/deploy/Sources") {}
