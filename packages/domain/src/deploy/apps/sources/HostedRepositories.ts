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
  /** Null while the repository is empty. */
  readonly defaultBranch: string | null
}

/**
 * Returns whether a repository name is valid: other names would change the path of the host's API.
 *
 * @example
 * isHostedName("shop.js") // => true
 * isHostedName("..") // => false
 */
export const isHostedName = (name: string): boolean => /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(name)

/** A branch of a repository. */
export interface HostedBranch {
  readonly name: string
  readonly commit: string
  readonly isProtected: boolean
}

/** The maximum number of listed repositories of an installation, or branches of a repository. */
export const mostHosted = 1_000

/** Reports that a request to a git host failed, and why, without any secret. */
export class GitHostFailed extends Schema.TaggedError<GitHostFailed>()("GitHostFailed", { because: Schema.String }) {}

/** Reports that an app installation cannot read the repository. */
export class HostedRepositoryNotFound extends Schema.TaggedError<HostedRepositoryNotFound>()(
  "HostedRepositoryNotFound",
  {}
) {}

/** Lists at git hosts the repositories and branches that app installations can read. */
export class HostedRepositories extends Context.Service<
  HostedRepositories,
  {
    /** Lists the repositories of an installation in the order of its host. */
    readonly list: (
      app: ForgeApp,
      privateKey: Redacted.Redacted
    ) => Effect.Effect<ReadonlyArray<HostedRepository>, GitHostFailed>
    /** Lists the branches of one of its repositories in the order of its host. */
    readonly branches: (
      app: ForgeApp,
      privateKey: Redacted.Redacted,
      repository: Pick<HostedRepository, "name" | "owner">
    ) => Effect.Effect<ReadonlyArray<HostedBranch>, GitHostFailed | HostedRepositoryNotFound>
  }
>()("@slipway/domain/deploy/HostedRepositories") {}
