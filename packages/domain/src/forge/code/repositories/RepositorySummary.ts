import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { AvatarName } from "../../identity/avatars/Avatar.ts"
import type { Organization } from "../../identity/organizations/Organization.ts"

/** Data about a repository for responses, in addition to its settings: owner, counts, source, topics and profile. */
export interface RepositorySummary {
  /** The organization that owns the repository; undefined if a user owns it. */
  readonly organization: Organization | undefined
  readonly openIssues: number
  readonly openPulls: number
  readonly stars: number
  readonly watchers: number
  readonly forks: number
  readonly releases: number
  /** The source repository of a fork; null if the repository is no fork, or the source was deleted. */
  readonly parentId: RepositoryId | null
  /** The external source of a mirrored or migrated repository; undefined if there is none. */
  readonly follows:
    | {
        /** The URL of the external repository, without credentials. */
        readonly url: string
        /** The seconds between two synchronizations; 0 disables synchronization. */
        readonly interval: number
        /** Whether the repository was copied once (migration), without further synchronization. */
        readonly oneTime: boolean
        readonly syncedAt: string | null
      }
    | undefined
  /** Whether a transfer to another owner is pending. */
  readonly offered: boolean
  /** The topics, sorted by name. */
  readonly topics: ReadonlyArray<string>
  readonly avatar: AvatarName | null
  readonly language: string
  readonly licenses: ReadonlyArray<string>
}

/** The summary of a deleted repository, for webhook payloads about it. */
export const emptySummary: RepositorySummary = {
  organization: undefined,
  openIssues: 0,
  openPulls: 0,
  stars: 0,
  watchers: 0,
  forks: 0,
  releases: 0,
  parentId: null,
  follows: undefined,
  offered: false,
  topics: [],
  avatar: null,
  language: "",
  licenses: []
}
