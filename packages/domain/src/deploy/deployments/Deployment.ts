import { Schema } from "effect"
import type { Entity } from "../../Collection.ts"
import { Uuid } from "../../Ids.ts"
import type { ApplicationUuid } from "../applications/Application.ts"
import type { DestinationUuid, ServerUuid } from "../servers/Server.ts"

export const DeploymentUuid = Uuid.pipe(Schema.brand("DeploymentUuid"))
export type DeploymentUuid = typeof DeploymentUuid.Type

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
