import { Schema } from "effect"
import { Uuid } from "../../../Ids.ts"

/** The uuid of a service part (an application or a database). */
export const ServicePartUuid = Uuid.pipe(Schema.brand("ServicePartUuid"))
export type ServicePartUuid = typeof ServicePartUuid.Type

/** One service of a compose text as the user wrote it, before variables are replaced. */
export interface OutlinedService {
  readonly name: string
  /** The image reference; null if the image is built from source. */
  readonly image: string | null
}

/** The type of a service part: a database stores data for the other parts. */
export type ServicePartType = "application" | "database"

/** A part of a service (an application or database): one entry under `services` of its compose file. */
export interface ServicePart {
  readonly uuid: ServicePartUuid
  /** The name of the part in the compose file. */
  readonly name: string
  readonly type: ServicePartType
  /** The image in the compose file; null if the image is built from source. */
  readonly composeImage: string | null
  /** The image that replaces the image of the compose file; null for no replacement. */
  readonly image: string | null
  readonly humanName: string | null
  readonly description: string | null
  /** Whether the state of the part is ignored in the status of the service. */
  readonly isExcludedFromStatus: boolean
  /** Whether a user stopped this part; the other parts run without it. */
  readonly isStopped: boolean
}

/** The error for a part that does not exist in the service. */
export class ServicePartNotFound extends Schema.TaggedError<ServicePartNotFound>()("ServicePartNotFound", {}) {}

/** The last path segments of the image names of database servers. */
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
 * Returns the type of a service part by its image: a database server or another application.
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
 * Returns the parts that a compose file describes. Existing parts keep their uuid and their settings.
 *
 * `uuids` are the uuids for new parts; there must be at least as many as services in the file.
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
