import { Context, type Effect, type Redacted, Schema } from "effect"
import type { ForgeApp } from "../../infrastructure/forge-apps/ForgeApp.ts"

/** A repository that an app installation may read, as its git host describes it. */
export interface HostedRepository {
  readonly id: number
  readonly owner: string
  readonly name: string
  readonly fullName: string
  readonly isPrivate: boolean
  readonly htmlUrl: string
  readonly cloneUrl: string
  /** The name of the default branch; null while the repository is empty. */
  readonly defaultBranch: string | null
}

/**
 * Returns whether a text is safe as a repository name in API paths: other texts could change the path of the request.
 *
 * @example
 * isHostedName("shop.js") // => true
 * isHostedName("..") // => false
 */
export const isHostedName = (name: string): boolean => /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(name)

/** A branch of a repository on a git host. */
export interface HostedBranch {
  readonly name: string
  readonly commit: string
  readonly isProtected: boolean
}

/** The maximum number of listed repositories of an app installation, and of listed branches of a repository. */
export const mostHosted = 1_000

/** The error for a failed request to a git host. The reason contains no secret. */
export class GitHostFailed extends Schema.TaggedError<GitHostFailed>()("GitHostFailed", { because: Schema.String }) {}

/** The error for a repository that an app installation cannot read. */
export class HostedRepositoryNotFound extends Schema.TaggedError<HostedRepositoryNotFound>()(
  "HostedRepositoryNotFound",
  {}
) {}

/** Lists the repositories and branches that app installations can read, with requests to the git hosts. */
export class HostedRepositories extends Context.Service<
  HostedRepositories,
  {
    /** Lists the repositories that an app installation can read, in the order of the git host. */
    readonly list: (
      app: ForgeApp,
      privateKey: Redacted.Redacted
    ) => Effect.Effect<ReadonlyArray<HostedRepository>, GitHostFailed>
    /** Lists the branches of a repository that an app installation can read, in the order of the git host. */
    readonly branches: (
      app: ForgeApp,
      privateKey: Redacted.Redacted,
      repository: Pick<HostedRepository, "name" | "owner">
    ) => Effect.Effect<ReadonlyArray<HostedBranch>, GitHostFailed | HostedRepositoryNotFound>
  }
>()("@slipway/domain/deploy/HostedRepositories") {}
