import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"

/** The uuid of a GitLab app. */
export const GitlabAppUuid = Uuid.pipe(Schema.brand("GitlabAppUuid"))
export type GitlabAppUuid = typeof GitlabAppUuid.Type

/** A GitLab server of a team: its SSH server for deploy keys, and the token of its webhooks. */
export interface GitlabApp extends Entity {
  readonly uuid: GitlabAppUuid
  readonly teamId: TeamId
  readonly name: string
  /** The address of the server, without a slash at the end. */
  readonly htmlUrl: string
  /** The user and the port of its SSH server. */
  readonly customUser: string
  readonly customPort: number
  /** The groups with the repositories that the app is for, separated by commas; null for all. */
  readonly groups: string | null
  /** The secret token that its webhooks send. */
  readonly webhookToken: Sealed
}

/** Reports that the GitLab app does not exist. */
export class GitlabAppNotFound extends Schema.TaggedError<GitlabAppNotFound>()("GitlabAppNotFound", {}) {}
