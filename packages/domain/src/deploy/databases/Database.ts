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
import type { DatabaseSsl } from "./ssl.ts"

/** The uuid of a database. */
export const DatabaseUuid = Uuid.pipe(Schema.brand("DatabaseUuid"))
export type DatabaseUuid = typeof DatabaseUuid.Type

/**
 * The type of the last request for a database. Users request a start, stop or restart; the platform requests a
 * `repair` if the container of a started database is missing or stopped.
 */
export type DatabaseAction = "start" | "stop" | "restart" | "repair"

/** The progress of the last request for a database; `idle` before the first request. */
export type DatabaseState = "idle" | "queued" | "working" | "done" | "failed"

/** The settings of the health check of a database; times in seconds. */
export interface DatabaseHealth {
  readonly isEnabled: boolean
  readonly interval: number
  readonly timeout: number
  readonly retries: number
  /** The seconds after a start during which failed checks are not counted; large databases start slowly. */
  readonly startPeriod: number
}

/** The default health check settings of a new database. */
export const defaultHealth: DatabaseHealth = { isEnabled: true, interval: 5, timeout: 5, retries: 10, startPeriod: 600 }

/** The repository with the manifest (`slipway.yaml`) that created a database, and the database's name in it. */
export interface DeclaredBy {
  readonly forgeLink: ForgeLink
  readonly name: string
}

/**
 * A database server of a user: one container of an image such as PostgreSQL, with a volume for its data. Applications
 * in the same network reach it by its uuid as host name.
 */
export interface Database extends Entity {
  readonly uuid: DatabaseUuid
  readonly kind: DatabaseKind
  readonly name: string
  readonly description: string
  readonly image: string
  readonly placement: Placement
  /** The values of the non-secret fields of the database type, by name; null is unset. */
  readonly settings: Readonly<Record<string, string | null>>
  /** The encrypted values of the secret fields of the database type, by name. */
  readonly secrets: Readonly<Record<string, Sealed>>
  readonly limits: LimitFields
  readonly health: DatabaseHealth
  readonly ssl: DatabaseSsl
  /** The end of the validity of the certificate in the current container; null if the container has no TLS. */
  readonly certificateExpiresAt: string | null
  /** Whether the database is reachable from outside through the port `publicPort` of the server. */
  readonly isPublic: boolean
  readonly publicPort: number | null
  /** The manifest that created the database and may change it; null if a user created the database. */
  readonly declaredBy: DeclaredBy | null
  readonly action: DatabaseAction | null
  readonly state: DatabaseState
  /** The reason why the last request failed, or what it waits for; null otherwise. */
  readonly reason: string | null
  /** The uuid of the last requested start; each start has a new uuid, which its container is labelled with. */
  readonly runUuid: DeploymentUuid | null
  /** The `runUuid` of the current container; null while the database is stopped. */
  readonly servingUuid: DeploymentUuid | null
  /** That its container runs with a failing health check, and the output of the check; null while no problem is known. */
  readonly unhealthy: string | null
  /** The worker process that handles the request, or null; `leaseUntil` is the end of its lease. */
  readonly claimedBy: string | null
  readonly leaseUntil: string | null
}

/** Returns whether the current container of a database uses TLS; changed settings apply to the next container. */
export const usesSsl = ({ certificateExpiresAt }: Pick<Database, "certificateExpiresAt">): boolean =>
  certificateExpiresAt !== null

/** Reports that the database does not exist. */
export class DatabaseNotFound extends Schema.TaggedError<DatabaseNotFound>()("DatabaseNotFound", {}) {}

/**
 * Returns the uuid of a database as an owner id, which has the type of an application's uuid.
 *
 * Containers, volumes, variables, storages and tags have an owner that is an application or a database; only the uuid
 * of the owner is stored.
 */
export const ownerOf = (uuid: DatabaseUuid): ApplicationUuid =>
  // BOUNDARY: no application and no database have the same uuid.
  uuid as string as ApplicationUuid

/** Converts an owner id to the uuid of a database; the caller must check that this database exists. */
export const databaseOf = (owner: ApplicationUuid): DatabaseUuid => owner as string as DatabaseUuid
