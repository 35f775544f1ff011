import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../../base/ids/DeploymentUuid.ts"
import type { ReleaseUuid } from "../../base/ids/ReleaseUuid.ts"
import type { AccountUuid } from "../../identity/accounts/Account.ts"
import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"
import type { ServicePartUuid } from "../services/ServicePart.ts"
import type { Pusher } from "../webhooks/WebhookEvent.ts"
import type { DeploymentStatus } from "./states.ts"

/** The action of a deployment: deploys a new release, restarts the serving one, rolls back to an earlier one, or stops. */
export const DeploymentAction = Schema.Literals(["deploy", "restart", "rollback", "stop"])
export type DeploymentAction = typeof DeploymentAction.Type

/** What triggered a deployment: an API request, or a webhook about a push. */
export const DeploymentTrigger = Schema.Literals(["api", "webhook"])
export type DeploymentTrigger = typeof DeploymentTrigger.Type

/** A durable request to deploy an application, with the names at that time. It outlives the application. */
export interface Deployment extends Entity {
  readonly uuid: DeploymentUuid
  readonly applicationUuid: ApplicationUuid
  readonly applicationName: string
  readonly serverUuid: ServerUuid
  readonly serverName: string
  readonly destinationUuid: DestinationUuid
  readonly commit: string
  /** The first line of the commit message; null if it is not known yet, or if there is no repository. */
  readonly commitMessage: string | null
  /** The number of the pull request that a preview deploys; 0 for a regular application. */
  readonly pullRequestId: number
  readonly trigger: DeploymentTrigger
  readonly action: DeploymentAction
  /** The existing release to run again; null if the deployment creates a new release or is a stop. */
  readonly releaseUuid: ReleaseUuid | null
  /** Whether the image is built without the build cache. */
  readonly force: boolean
  readonly status: DeploymentStatus
  /** The reason why the deployment failed, was cancelled or waits; null if there is none. */
  readonly reason: string | null
  /** The id of the image that the containers run; null until it is known. */
  readonly imageId: string | null
  readonly cancelRequested: boolean
  /** The account that requested the deployment; null if a token without an account requested it. */
  readonly requestedBy: AccountUuid | null
  /** The user of the forge who pushed the commit; null if no push requested the deployment or it names no user. */
  readonly pusher: Pusher | null
  /** The time until which a queued deployment waits for an approval; null if it needs no approval or was approved. */
  readonly approvalUntil: string | null
  /** The stopped parts of its service that an approval starts. */
  readonly startsParts: ReadonlyArray<ServicePartUuid>
  /** The tag of the image that an approval sets for the preview; null if the approval keeps the tag. */
  readonly imageTag: string | null
  /** The start and end times in ISO 8601; null if not reached yet. */
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** The worker process that performs the deployment, followed by the end of its lease. */
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** The number of days for which a deployment waits for an approval. */
export const approvalDays = 7

/** The cancellation reason of a deployment that was not approved in time. */
export const approvalExpired = `it was not approved within ${approvalDays} days`

/** Returns whether a deployment waits for an approval. */
export const awaitsApproval = ({ approvalUntil, status }: Pick<Deployment, "approvalUntil" | "status">): boolean =>
  status === "queued" && approvalUntil !== null

/** The error for an approval or rejection of a deployment that does not wait for an approval. */
export class NotAwaitingApproval extends Schema.TaggedError<NotAwaitingApproval>()("NotAwaitingApproval", {
  status: Schema.String
}) {}

/** The error when the deployment queue of a server is full; nothing was queued. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", {
  server: Schema.String,
  most: Schema.Number
}) {}

/** The error for a deployment that does not exist. */
export class DeploymentNotFound extends Schema.TaggedError<DeploymentNotFound>()("DeploymentNotFound", {}) {}
