import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { AvatarName } from "../../identity/avatars/Avatar.ts"

/** The facts about a repository, in addition to its settings: counts of its resources, and its relations. */
export interface RepositorySummary {
  readonly openIssues: number
  readonly openPulls: number
  readonly stars: number
  readonly watchers: number
  readonly forks: number
  readonly releases: number
  /** The source of a fork; null if there is none or it no longer exists. */
  readonly parentId: RepositoryId | null
  /** The source of a mirror or a migration. */
  readonly follows:
    | {
        /** The address at the other host, without credentials. */
        readonly url: string
        /** Seconds between two synchronizations; 0 never synchronizes. */
        readonly interval: number
        /** Whether it was copied once, without further synchronization. */
        readonly oneTime: boolean
        readonly syncedAt: string | null
      }
    | undefined
  /** Whether a transfer to another owner is pending. */
  readonly offered: boolean
  /** The topics by name. */
  readonly topics: ReadonlyArray<string>
  readonly avatar: AvatarName | null
  readonly language: string
  readonly licenses: ReadonlyArray<string>
}

/** The summary of a deleted repository, for webhooks that still report it. */
export const emptySummary: RepositorySummary = {
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
