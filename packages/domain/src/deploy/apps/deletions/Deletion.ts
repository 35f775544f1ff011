import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { ForgeAppUuid } from "../../infrastructure/forge-apps/ForgeApp.ts"
import type { DestinationUuid, ServerUuid } from "../../infrastructure/servers/Server.ts"

/** The uuid of a deletion. */
export const DeletionUuid = Uuid.pipe(Schema.brand("DeletionUuid"))
export type DeletionUuid = typeof DeletionUuid.Type

/** Which parts of a resource its deletion also removes; all default to true (spec "Delete query parameters"). */
export interface DeletionFlags {
  readonly deleteConfigurations: boolean
  readonly deleteVolumes: boolean
  readonly dockerCleanup: boolean
  readonly deleteConnectedNetworks: boolean
}

/** The repository of a connected forge that an application is built from. */
export interface ForgeLink {
  readonly forgeAppUuid: ForgeAppUuid
  readonly owner: string
  readonly name: string
}

/** The progress of a deletion. */
export const DeletionStatus = Schema.Literals(["queued", "running", "finished"])
export type DeletionStatus = typeof DeletionStatus.Type

/** A persistent request to clean up a deleted or moved application on a server, with its result. */
export interface Deletion extends Entity, DeletionFlags {
  readonly uuid: DeletionUuid
  readonly applicationUuid: ApplicationUuid
  readonly applicationName: string
  readonly serverUuid: ServerUuid
  readonly destinationUuid: DestinationUuid
  /** The repository to remove the webhook and deploy key from; null without one. */
  readonly forgeLink: ForgeLink | null
  readonly status: DeletionStatus
  /** The names of the items removed from the server. */
  readonly removed: ReadonlyArray<string>
  /** The names of the items that remain on the server. */
  readonly left: ReadonlyArray<string>
  /** The reason why its last attempt failed, and the number of attempts. */
  readonly reason: string | null
  readonly attempts: number
  /** The worker process, and the end of its lease. */
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** Reports that the deletion does not exist. */
export class DeletionNotFound extends Schema.TaggedError<DeletionNotFound>()("DeletionNotFound", {}) {}
