import { Context, Data, type Effect, type Redacted } from "effect"
import type { GitId } from "../../code/git/gitIds.ts"
import type { ObjectId } from "../../code/git/objectIds.ts"
import type { RefName } from "../../code/git/refNames.ts"

/** A git repository at another host. */
export interface Remote {
  /** The HTTP or HTTPS URL of the repository, without credentials. */
  readonly url: string
  readonly account: { readonly username: string; readonly password: Redacted.Redacted } | undefined
}

/** The refs of a remote repository after a fetch of its objects. No local ref points to these objects yet. */
export interface FetchedRefs {
  readonly refs: ReadonlyMap<RefName, ObjectId>
  /** The name of the default branch; undefined if the remote repository has none. */
  readonly head: string | undefined
}

/** Reports that a repository at another host cannot be read or written. The reason contains no secrets. */
export class RemoteFailed extends Data.TaggedError("RemoteFailed")<{ readonly because: string }> {}

/** The result of a push to another host. `skipped` is the branch that could not be deleted there, if any. */
export interface PushedRefs {
  readonly skipped: string | undefined
}

/** A mapping of remote refs to local refs for a fetch; `*` matches any text. */
export interface RemoteRefs {
  readonly from: string
  readonly to: string
}

/**
 * Fetches from and pushes to git repositories at other hosts, by URLs that users enter.
 *
 * Every connection is checked by the instance's egress rule (invariant I14), and limited in size and time (invariant
 * I25). By default, all connections fail.
 */
export class GitRemotes extends Context.Reference("@slipway/domain/forge/GitRemotes", {
  defaultValue: (): {
    /** Fetches all objects that the refs reach. If it fails, no objects are kept. */
    readonly fetch: (
      id: GitId,
      remote: Remote,
      refs: ReadonlyArray<RemoteRefs>
    ) => Effect.Effect<FetchedRefs, RemoteFailed>
    /**
     * Makes the branches and tags at the other host equal to those of the local repository.
     *
     * If the default branch of the other host does not exist locally, it is not deleted, because hosts reject that.
     */
    readonly push: (id: GitId, remote: Remote) => Effect.Effect<PushedRefs, RemoteFailed>
  } => ({
    fetch: () => new RemoteFailed({ because: "this instance does not connect to other hosts" }),
    push: () => new RemoteFailed({ because: "this instance does not connect to other hosts" })
  })
}) {}
