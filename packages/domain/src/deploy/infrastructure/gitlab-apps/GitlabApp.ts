import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"

/** The uuid of a GitLab app. */
export const GitlabAppUuid = Uuid.pipe(Schema.brand("GitlabAppUuid"))
export type GitlabAppUuid = typeof GitlabAppUuid.Type

/** The settings of a GitLab server for a team: its SSH server for deploy keys, and the token of its webhooks. */
export interface GitlabApp extends Entity {
  readonly uuid: GitlabAppUuid
  readonly teamId: TeamId
  readonly name: string
  /** The URL of the GitLab server, without a slash at the end. */
  readonly htmlUrl: string
  /** The user name for the GitLab server's SSH access; the next field is the port. */
  readonly customUser: string
  readonly customPort: number
  /** The GitLab groups with the repositories that can be used, separated by commas; null for all groups. */
  readonly groups: string | null
  /** The secret token that webhooks of the GitLab server send. */
  readonly webhookToken: Sealed
}

/** Reports that the GitLab app does not exist. */
export class GitlabAppNotFound extends Schema.TaggedError<GitlabAppNotFound>()("GitlabAppNotFound", {}) {}
