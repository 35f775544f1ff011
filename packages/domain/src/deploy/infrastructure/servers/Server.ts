import { Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { PrivateKeyUuid } from "../keys/PrivateKey.ts"
import type { LogDrain } from "./LogDrain.ts"

/** The uuid of a server. */
export const ServerUuid = Uuid.pipe(Schema.brand("ServerUuid"))
export type ServerUuid = typeof ServerUuid.Type

/** The proxy in front of the applications of a server. */
export const ProxyType = Schema.Literals(["caddy", "traefik", "none"])
export type ProxyType = typeof ProxyType.Type

/** The connection types to the engine of a server. */
export const EngineTransport = Schema.Literals(["ssh", "tls"])
export type EngineTransport = typeof EngineTransport.Type

/** The result and time of a server validation. */
export interface ServerValidation {
  readonly isReachable: boolean
  readonly isUsable: boolean
  readonly because: string
  readonly at: string
}

/** The result and time of the last disk check of a server. */
export interface DiskCheck {
  readonly at: string
  /** The disk usage; null when it is unknown, and before the first check has ended. */
  readonly percent: number | null
  /** The reason why the disk usage is unknown. */
  readonly because: string | null
}

/** A server that runs applications, databases and services. */
export interface Server extends Entity {
  readonly uuid: ServerUuid
  readonly teamId: TeamId
  readonly name: string
  readonly description: string
  /** The address that the platform reaches the server at: an IP address or a host name. */
  readonly ip: string
  readonly port: number
  readonly user: string
  /** The SSH key of the server; null for the platform's own machine. */
  readonly privateKeyUuid: PrivateKeyUuid | null
  readonly isBuildServer: boolean
  readonly proxyType: ProxyType
  /** The compose file with the image of its proxy's container; null for the image of the instance. */
  readonly proxyConfiguration: string | null
  /** The parent domain of generated domains of applications. */
  readonly wildcardDomain: string | null
  readonly concurrentBuilds: number
  readonly deploymentQueueLimit: number
  /** The timeout of a deployment in seconds. */
  readonly dynamicTimeout: number
  /** The connection timeout in seconds. */
  readonly connectionTimeout: number
  /** The connection to its engine: through SSH, or by TLS at its own port. */
  readonly engineTransport: EngineTransport
  /** The path of the engine's socket there; null is the first default path of Docker or Podman that answers. */
  readonly engineSocket: string | null
  /** The port that the engine listens on for TLS. */
  readonly enginePort: number
  /** For TLS, in PEM: the certificate of the authority that signed the engine's, and the platform's own. */
  readonly engineAuthority: string | null
  readonly engineCertificate: string | null
  /** For TLS: the key of the platform's certificate. */
  readonly engineKey: Sealed | null
  /** The frequency of cleanups of unused data. */
  readonly cleanupFrequency: string
  /** The frequency of its disk usage checks. */
  readonly diskCheckFrequency: string
  /** The disk usage in percent above which the platform warns. */
  readonly diskThreshold: number
  /** The result of its last disk check; null before the first. */
  readonly diskCheck: DiskCheck | null
  /** Whether the platform samples its use and that of its containers. */
  readonly isMetricsEnabled: boolean
  /** The interval between samples, in seconds. */
  readonly metricsInterval: number
  /** How many days samples are stored. */
  readonly metricsDays: number
  /** The receivers of the logs of its containers, at most one of each type. */
  readonly logDrains: ReadonlyArray<LogDrain>
  /** The result of its last validation; null before the first. */
  readonly validation: ServerValidation | null
}

/** Returns whether the disk of a server exceeded its threshold at the last check. */
export const isPastThreshold = ({ diskCheck, diskThreshold }: Server): boolean =>
  diskCheck !== null && diskCheck.percent !== null && diskCheck.percent > diskThreshold

/** The uuid of a destination. */
export const DestinationUuid = Uuid.pipe(Schema.brand("DestinationUuid"))
export type DestinationUuid = typeof DestinationUuid.Type

/** A container network of a server for applications; its name is unique on the server. */
export interface Destination extends Entity {
  readonly uuid: DestinationUuid
  readonly serverUuid: ServerUuid
  /** The team of its server. */
  readonly teamId: TeamId
  readonly name: string
  readonly network: string
}

/** Reports that the server does not exist. */
export class ServerNotFound extends Schema.TaggedError<ServerNotFound>()("ServerNotFound", {}) {}
/** Reports that the destination does not exist. */
export class DestinationNotFound extends Schema.TaggedError<DestinationNotFound>()("DestinationNotFound", {}) {}
