import { Schema } from "effect"
import type { Entity } from "../../Collection.ts"
import { Uuid } from "../../Ids.ts"
import type { ApplicationUuid } from "../applications/Application.ts"
import type { DestinationUuid, ServerUuid } from "../servers/Server.ts"

/** The uuid of a deployment. */
export const DeploymentUuid = Uuid.pipe(Schema.brand("DeploymentUuid"))
export type DeploymentUuid = typeof DeploymentUuid.Type

/** How far a deployment has come: it waits, or was cancelled since its application was deleted. */
export const DeploymentStatus = Schema.Literals(["queued", "cancelled"])
export type DeploymentStatus = typeof DeploymentStatus.Type

/** A durable request to deploy an application, with the names as they were then; it outlives its application. */
export interface Deployment extends Entity {
  readonly uuid: DeploymentUuid
  readonly applicationUuid: ApplicationUuid
  readonly applicationName: string
  readonly serverUuid: ServerUuid
  readonly serverName: string
  readonly destinationUuid: DestinationUuid
  readonly commit: string
  readonly status: DeploymentStatus
}

/** Reports that there is no such deployment. */
export class DeploymentNotFound extends Schema.TaggedError<DeploymentNotFound>()("DeploymentNotFound", {}) {}
