import { Schema } from "effect"
import type { Entity } from "../../Collection.ts"
import { Uuid } from "../../Ids.ts"
import type { Sealed } from "../../Vault.ts"
import type { ForgeLink } from "../apps/deletions/Deletion.ts"
import type { Placement } from "../apps/placement/Placement.ts"
import type { ApplicationUuid } from "../base/ids/ApplicationUuid.ts"
import type { DeploymentUuid } from "../base/ids/DeploymentUuid.ts"
import type { LimitFields } from "../containers/engine/limits.ts"
import type { DatabaseKind } from "./kinds.ts"

/** The uuid of a database. */
export const DatabaseUuid = Uuid.pipe(Schema.brand("DatabaseUuid"))
export type DatabaseUuid = typeof DatabaseUuid.Type

/**
 * The last request for a database. The platform itself requests a `repair`, which restores a container that should run.
 */
export type DatabaseAction = "start" | "stop" | "restart" | "repair"

/** The progress of the last request; `idle` before the first one. */
export type DatabaseState = "idle" | "queued" | "working" | "done" | "failed"

/** The settings of the health check of a database; times in seconds. */
export interface DatabaseHealth {
  readonly isEnabled: boolean
  readonly interval: number
  readonly timeout: number
  readonly retries: number
  /** The seconds that a large database may need to start. */
  readonly startPeriod: number
}

/** The health check of a new database. */
export const defaultHealth: DatabaseHealth = { isEnabled: true, interval: 5, timeout: 5, retries: 10, startPeriod: 600 }

/** The repository with the manifest that created a database, and the name of the database there. */
export interface DeclaredBy {
  readonly forgeLink: ForgeLink
  readonly name: string
}

/**
 * A database: one container of a well-known image with its volume, reached by its uuid in the network of its
 * destination.
 */
export interface Database extends Entity {
  readonly uuid: DatabaseUuid
  readonly kind: DatabaseKind
  readonly name: string
  readonly description: string
  readonly image: string
  readonly placement: Placement
  /** The non-secret fields of its type, by name; null is unset. */
  readonly settings: Readonly<Record<string, string | null>>
  /** The secret fields of its type. */
  readonly secrets: Readonly<Record<string, Sealed>>
  readonly limits: LimitFields
  readonly health: DatabaseHealth
  /** Whether a port of the server forwards to it. */
  readonly isPublic: boolean
  readonly publicPort: number | null
  /** The manifest that created it and may change it; null for a database that a user created. */
  readonly declaredBy: DeclaredBy | null
  readonly action: DatabaseAction | null
  readonly state: DatabaseState
  /** The reason why the request failed, or what it waits for. */
  readonly reason: string | null
  /** The last requested run, with a new uuid each time; its container is identified by it. */
  readonly runUuid: DeploymentUuid | null
  /** The run of the container that serves the database; null while it is stopped. */
  readonly servingUuid: DeploymentUuid | null
  /** The worker process, and the end of its lease. */
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** Reports that the database does not exist. */
export class DatabaseNotFound extends Schema.TaggedError<DatabaseNotFound>()("DatabaseNotFound", {}) {}

/**
 * Returns the owner id of a database: engines identify the owners of containers and volumes only by uuid, and stores
 * those of variables, storages and tags, whatever their type.
 */
export const ownerOf = (uuid: DatabaseUuid): ApplicationUuid =>
  // BOUNDARY: no application and no database have the same uuid.
  uuid as string as ApplicationUuid

/** Returns the uuid of the database that an owner id may name. */
export const databaseOf = (owner: ApplicationUuid): DatabaseUuid => owner as string as DatabaseUuid
