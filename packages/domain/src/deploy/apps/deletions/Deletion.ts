import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { ForgeAppUuid } from "../../infrastructure/forge-apps/ForgeApp.ts"
import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"

/** The uuid of a deletion job. */
export const DeletionUuid = Uuid.pipe(Schema.brand("DeletionUuid"))
export type DeletionUuid = typeof DeletionUuid.Type

/** The parts of a resource that its deletion also removes; all default to true (spec "Delete query parameters"). */
export interface DeletionFlags {
  readonly deleteConfigurations: boolean
  readonly deleteVolumes: boolean
  readonly dockerCleanup: boolean
  readonly deleteConnectedNetworks: boolean
}

/** The repository on a connected forge from which an application is built. */
export interface ForgeLink {
  readonly forgeAppUuid: ForgeAppUuid
  readonly owner: string
  readonly name: string
}

/** The progress of a deletion job. */
export const DeletionStatus = Schema.Literals(["queued", "running", "finished"])
export type DeletionStatus = typeof DeletionStatus.Type

/** A durable job that removes the resources of a deleted or moved application from a server, with its result. */
export interface Deletion extends Entity, DeletionFlags {
  readonly uuid: DeletionUuid
  readonly applicationUuid: ApplicationUuid
  readonly applicationName: string
  readonly serverUuid: ServerUuid
  readonly destinationUuid: DestinationUuid
  /** The repository from which the webhook and the deploy key are removed; null if there is none. */
  readonly forgeLink: ForgeLink | null
  readonly status: DeletionStatus
  /** The names of the resources that were removed from the server. */
  readonly removed: ReadonlyArray<string>
  /** The names of the resources that remain on the server. */
  readonly left: ReadonlyArray<string>
  /** The reason why the last attempt failed, followed by the number of attempts. */
  readonly reason: string | null
  readonly attempts: number
  /** The worker process that performs the deletion, followed by the end of its lease. */
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** The error for a deletion job that does not exist. */
export class DeletionNotFound extends Schema.TaggedError<DeletionNotFound>()("DeletionNotFound", {}) {}
