import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"

/** The uuid of an application or database of a service. */
export const ServicePartUuid = Uuid.pipe(Schema.brand("ServicePartUuid"))
export type ServicePartUuid = typeof ServicePartUuid.Type

/** One service of a compose text as it is written, before variables are filled in. */
export interface OutlinedService {
  readonly name: string
  /** The reference of its image; null if it is built. */
  readonly image: string | null
}

/** Whether a part of a service stores data for the others. */
export type ServicePartType = "application" | "database"

/** An application or database of a service: one entry under `services` of its compose file, with its settings. */
export interface ServicePart {
  readonly uuid: ServicePartUuid
  /** The name of the part in the compose file. */
  readonly name: string
  readonly type: ServicePartType
  /** The image in the compose file; null if it is built. */
  readonly composeImage: string | null
  /** The image that replaces the one in the compose file; null keeps that. */
  readonly image: string | null
  readonly humanName: string | null
  readonly description: string | null
  /** Whether the status of the service ignores it. */
  readonly isExcludedFromStatus: boolean
  /** Whether a user stopped it; the other parts run without it. */
  readonly isStopped: boolean
}

/** Reports that the service has no such application or database. */
export class ServicePartNotFound extends Schema.TaggedError<ServicePartNotFound>()("ServicePartNotFound", {}) {}

/** The last path segments of images of database servers. */
const databaseImages: ReadonlyArray<string> = [
  "clickhouse",
  "clickhouse-server",
  "cockroach",
  "couchdb",
  "dragonfly",
  "influxdb",
  "keydb",
  "mariadb",
  "mongo",
  "mongodb",
  "mysql",
  "mysql-server",
  "neo4j",
  "pgvector",
  "postgis",
  "postgres",
  "postgresql",
  "rabbitmq",
  "redis",
  "redis-stack-server",
  "scylla",
  "timescaledb",
  "valkey"
]

/**
 * Returns whether an image is that of a database server.
 *
 * @example
 * partTypeOf("docker.io/library/postgres:17-alpine") // => "database"
 * partTypeOf("postgrest/postgrest:v13") // => "application"
 */
export const partTypeOf = (image: string | null): ServicePartType => {
  const name = (image ?? "").replace(/@.*$/, "").split("/").at(-1)?.split(":")[0] ?? ""
  return databaseImages.includes(name.toLowerCase()) ? "database" : "application"
}

/**
 * Returns the parts that a compose file describes; existing parts keep their uuid and their settings.
 *
 * `uuids` are new ones, at least as many as the file has services.
 */
export const partsFor = (
  outline: ReadonlyArray<OutlinedService>,
  present: ReadonlyArray<ServicePart>,
  uuids: ReadonlyArray<ServicePartUuid>
): ReadonlyArray<ServicePart> =>
  outline.map(({ image, name }, at) => {
    const same = present.find((part) => part.name === name)
    const type = partTypeOf(image)
    if (same !== undefined) return { ...same, type, composeImage: image }
    return {
      // INVARIANT: the caller makes one uuid for each service.
      uuid: uuids[at] as ServicePartUuid,
      name,
      type,
      composeImage: image,
      image: null,
      humanName: null,
      description: null,
      isExcludedFromStatus: false,
      isStopped: false
    }
  })
