import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ReleaseUuid } from "../../base/ids/ReleaseUuid.ts"
import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { DeploymentStatus } from "./states.ts"

/** The purpose of a deployment: a new release, an existing release, or a stop. */
export const DeploymentAction = Schema.Literals(["deploy", "restart", "rollback", "stop"])
export type DeploymentAction = typeof DeploymentAction.Type

/** The trigger of a deployment: a user of the API, or a webhook about a push. */
export const DeploymentTrigger = Schema.Literals(["api", "webhook"])
export type DeploymentTrigger = typeof DeploymentTrigger.Type

/** A durable request to deploy an application, with the names as they were then; it outlives its application. */
export interface Deployment extends Entity {
  readonly uuid: DeploymentUuid
  readonly applicationUuid: ApplicationUuid
  readonly applicationName: string
  readonly serverUuid: ServerUuid
  readonly serverName: string
  readonly destinationUuid: DestinationUuid
  readonly commit: string
  /** The first line of the commit's message, once that is known; null without a repository. */
  readonly commitMessage: string | null
  /** The pull request that it shows; 0 for a deployment that is no preview's. */
  readonly pullRequestId: number
  readonly trigger: DeploymentTrigger
  readonly action: DeploymentAction
  /** The release that it runs again; null makes one, or needs none. */
  readonly releaseUuid: ReleaseUuid | null
  /** Whether its image is built without the build cache. */
  readonly force: boolean
  readonly status: DeploymentStatus
  /** Why it failed or was cancelled. */
  readonly reason: string | null
  /** The image that it runs, once that is known. */
  readonly imageId: string | null
  readonly cancelRequested: boolean
  /** Times in ISO 8601; null when not yet reached. */
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** The process that works on it, until when unless it renews its lease. */
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** Reports that as many deployments wait for a server as it lets; nothing was queued. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", {
  server: Schema.String,
  most: Schema.Number
}) {}

/** Reports that the deployment does not exist. */
export class DeploymentNotFound extends Schema.TaggedError<DeploymentNotFound>()("DeploymentNotFound", {}) {}
