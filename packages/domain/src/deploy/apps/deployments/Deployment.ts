import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ReleaseUuid } from "../../base/ids/ReleaseUuid.ts"
import type { AccountUuid } from "../../identity/accounts/Account.ts"
import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { DeploymentStatus } from "./states.ts"

/** The purpose of a deployment: a new release, an existing release, or a stop. */
export const DeploymentAction = Schema.Literals(["deploy", "restart", "rollback", "stop"])
export type DeploymentAction = typeof DeploymentAction.Type

/** The trigger of a deployment: a user of the API, or a webhook about a push. */
export const DeploymentTrigger = Schema.Literals(["api", "webhook"])
export type DeploymentTrigger = typeof DeploymentTrigger.Type

/** A durable request to deploy an application, with the names at that time; it outlives its application. */
export interface Deployment extends Entity {
  readonly uuid: DeploymentUuid
  readonly applicationUuid: ApplicationUuid
  readonly applicationName: string
  readonly serverUuid: ServerUuid
  readonly serverName: string
  readonly destinationUuid: DestinationUuid
  readonly commit: string
  /** The first line of the commit message, when known; null without a repository. */
  readonly commitMessage: string | null
  /** The number of the pull request; 0 for a deployment of a regular application. */
  readonly pullRequestId: number
  readonly trigger: DeploymentTrigger
  readonly action: DeploymentAction
  /** The release to run again; null if the deployment creates a new release or is a stop. */
  readonly releaseUuid: ReleaseUuid | null
  /** Whether its image is built without the build cache. */
  readonly force: boolean
  readonly status: DeploymentStatus
  /** Why it failed or was cancelled. */
  readonly reason: string | null
  /** The image of its containers, when known. */
  readonly imageId: string | null
  readonly cancelRequested: boolean
  /** The account that requested it; null for a token of a team. */
  readonly requestedBy: AccountUuid | null
  /** The time until which a queued deployment waits for an approval; null if it needs none, or has it. */
  readonly approvalUntil: string | null
  /** Times in ISO 8601; null when not yet reached. */
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** The worker process, and the end of its lease. */
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** How many days a deployment waits for an approval. */
export const approvalDays = 7

/** The reason of a deployment that was not approved in that time. */
export const approvalExpired = `it was not approved within ${approvalDays} days`

/** Returns whether a deployment waits for an approval. */
export const awaitsApproval = ({ approvalUntil, status }: Pick<Deployment, "approvalUntil" | "status">): boolean =>
  status === "queued" && approvalUntil !== null

/** Reports that a deployment does not wait for an approval, or no longer. */
export class NotAwaitingApproval extends Schema.TaggedError<NotAwaitingApproval>()("NotAwaitingApproval", {
  status: Schema.String
}) {}

/** Reports that the deployment queue of a server is full; nothing was queued. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", {
  server: Schema.String,
  most: Schema.Number
}) {}

/** Reports that the deployment does not exist. */
export class DeploymentNotFound extends Schema.TaggedError<DeploymentNotFound>()("DeploymentNotFound", {}) {}
