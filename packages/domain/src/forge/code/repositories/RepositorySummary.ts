import type { RepositoryId } from "../../base/names/repositoryId.ts"
import type { AvatarName } from "../../identity/avatars/Avatar.ts"

/** What is known of a repository besides its settings: how much of each thing it has, and what it is tied to. */
export interface RepositorySummary {
  readonly openIssues: number
  readonly openPulls: number
  readonly stars: number
  readonly watchers: number
  readonly forks: number
  readonly releases: number
  /** What it was forked from, as long as that is there. */
  readonly parentId: RepositoryId | null
  /** What it follows, or was copied from. */
  readonly follows:
    | {
        /** The address at the other host, without credentials. */
        readonly url: string
        /** Seconds between two synchronizations; 0 never synchronizes. */
        readonly interval: number
        /** Whether it was copied once instead of being followed. */
        readonly once: boolean
        readonly syncedAt: string | null
      }
    | undefined
  /** Whether it is offered to another owner. */
  readonly offered: boolean
  /** By name. */
  readonly topics: ReadonlyArray<string>
  readonly avatar: AvatarName | null
  readonly language: string
  readonly licenses: ReadonlyArray<string>
}

/** What is known of a repository that has gone, of which webhooks still tell. */
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
