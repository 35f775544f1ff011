import { Context, type Effect, type Redacted, Schema, type Scope, type Stream } from "effect"

/** The credentials for reading a repository: none, an SSH key, or a token over HTTPS. */
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

/** A request to check out the files of a repository at a commit. */
export interface CheckoutRequest {
  /** The address of the repository: `http(s)://…`, `ssh://…` or `user@host:path`. */
  readonly repository: string
  readonly branch: string
  /** The commit as hexadecimal digits, or `HEAD` for the newest commit of the branch. */
  readonly commit: string
  readonly access: RepositoryAccess
  /**
   * The number of a pull request to check out at its newest commit, instead of the branch.
   *
   * The author of the pull request may have no access to this repository, so its submodules are fetched without
   * credentials (invariant I21).
   */
  readonly pullRequest?: number
  /** Whether submodules are fetched recursively. The default is false, which leaves their folders empty. */
  readonly submodules?: boolean
  /** Whether the content of Git LFS files is fetched. The default is false, which leaves pointer files. */
  readonly lfs?: boolean
}

/** A request for the file names in a folder of a repository. */
export interface ListingRequest extends Pick<CheckoutRequest, "access" | "repository"> {
  /** The branch; undefined for the default branch of the repository. */
  readonly branch: string | undefined
  readonly folder: string
  /** The names of the files in the folder to read, if they exist. */
  readonly texts: ReadonlyArray<string>
}

/** The files in a folder at the newest commit of a branch. */
export interface Listing {
  readonly branch: string
  /** The full commit SHA. */
  readonly commit: string
  /** The names of the files in the folder, without folders and links. */
  readonly names: ReadonlyArray<string>
  /** The requested texts by name, without files that are missing or larger than 1 MiB. */
  readonly texts: ReadonlyMap<string, string>
}

/** The type of a file system entry in a checkout. */
export type Entry = "file" | "folder" | "link"

/** The error for a repository that cannot be read. The reason contains no secret. */
export class CheckoutFailed extends Schema.TaggedError<CheckoutFailed>()("CheckoutFailed", {
  because: Schema.String
}) {}

/** The files of one commit. Paths are relative to the top folder of the repository, with or without a leading slash. */
export interface Checkout {
  /** The full commit SHA. */
  readonly commit: string
  /** The first line of the commit message. */
  readonly subject: string
  /** Returns the type of the entry at a path; undefined if there is none. */
  readonly entry: (path: string) => Effect.Effect<Entry | undefined, CheckoutFailed>
  /** Reads a file as text; undefined if it does not exist, is not a file, or is larger than 1 MiB. */
  readonly readText: (path: string) => Effect.Effect<string | undefined, CheckoutFailed>
  /** Packs a folder as a tar archive, together with additional files, which replace existing ones. */
  readonly archive: (
    folder: string,
    added?: Readonly<Record<string, string>>
  ) => Stream.Stream<Uint8Array, CheckoutFailed>
  /**
   * Writes the files into a new local directory, for programs that read files. It is removed when the scope closes.
   *
   * No symlink in the directory leads outside.
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
 * - list the files of a folder and read some of them, on a branch or the default branch
 * - report a missing repository, branch, folder or default branch of a listing
 * - list a private repository only with its token
 * - run no command that a name contains (invariant I23)
 */
export class Sources extends Context.Service<
  Sources,
  {
    /** Fetches the files of one commit. They are removed when the scope closes. */
    readonly checkout: (request: CheckoutRequest) => Effect.Effect<Checkout, CheckoutFailed, Scope.Scope>
    /**
     * Lists the files of a folder without fetching their content, within shorter limits of time and space than a
     * checkout (invariant I25).
     */
    readonly list: (request: ListingRequest) => Effect.Effect<Listing, CheckoutFailed>
  }
>()("@slipway/domain/deploy/Sources") {}
