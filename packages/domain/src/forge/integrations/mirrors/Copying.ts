import * as Fields from "../../../owned/fields.ts"
import { owned } from "../../../owned/Owned.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { UserId } from "../../identity/users/User.ts"

/** The types of APIs from which repositories can be copied; `gitea` is also the API of Forgejo and Slipway. */
export const copiedServices = ["gitea", "github", "gitlab"] as const
export type CopiedService = (typeof copiedServices)[number]

/** Which parts of a repository are copied in addition to git data, such as issues and releases. */
export interface CopiedParts {
  readonly labels: boolean
  readonly milestones: boolean
  readonly issues: boolean
  readonly pulls: boolean
  readonly releases: boolean
  /** Whether Git LFS objects are copied. Unlike the other parts, they need no API of the host. */
  readonly lfs: boolean
}

/** The copying of a repository from another host: the parts to copy in addition to git data, and the progress. */
export interface Copying extends CopiedParts {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly service: CopiedService | "git"
  /** The id of the user who started the copying and becomes the author of copied content. */
  readonly userId: UserId
  /** The number of issues, pull requests and comments that were copied so far. */
  readonly copied: number
  /** The number of attached files that could not be copied. */
  readonly leftOut: number
  /**
   * The number that is added to pull request numbers, because the other host counts them separately from issues; null
   * if not known yet or if both share one numbering.
   */
  readonly numbersBefore: number | null
  /** The time when the copying was completed; null while it is in progress. */
  readonly doneAt: string | null
}

/**
 * The stored progress of copying issues and other non-git data from a remote repository, at most one row per
 * repository.
 */
export const copyings = owned<Copying>()("copying", {
  // A repository has at most one, so the only list is that of the site.
  within: [],
  fields: {
    repositoryId: Fields.reference("repository"),
    service: Fields.oneOf("git", ...copiedServices),
    userId: Fields.integer(),
    labels: Fields.boolean(),
    milestones: Fields.boolean(),
    issues: Fields.boolean(),
    pulls: Fields.boolean(),
    releases: Fields.boolean(),
    lfs: Fields.boolean(),
    copied: Fields.integer(),
    leftOut: Fields.integer(),
    numbersBefore: Fields.nullable(Fields.integer()),
    doneAt: Fields.nullable(Fields.time())
  },
  filters: ["repositoryId"],
  unique: { repository: ["repositoryId"] }
})
