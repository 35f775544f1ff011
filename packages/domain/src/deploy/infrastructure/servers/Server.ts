import { Effect, Schema } from "effect"
import type { Entity } from "../../../Collection.ts"
import { Uuid } from "../../../Ids.ts"
import type { Sealed } from "../../../Vault.ts"
import type { TeamId } from "../../identity/teams/Team.ts"
import type { PrivateKeyUuid } from "../keys/PrivateKey.ts"
import type { LogDrain } from "./LogDrain.ts"

/** The uuid of a server. */
export const ServerUuid = Uuid.pipe(Schema.brand("ServerUuid"))
export type ServerUuid = typeof ServerUuid.Type

/** The type of reverse proxy that receives the HTTP requests for the applications of a server. */
export const ProxyType = Schema.Literals(["caddy", "traefik", "none"])
export type ProxyType = typeof ProxyType.Type

/** The types of connection to the container engine of a server. */
export const EngineTransport = Schema.Literals(["ssh", "tls"])
export type EngineTransport = typeof EngineTransport.Type

/** The result and time of a server validation, which checks the connection and the container engine. */
export interface ServerValidation {
  readonly isReachable: boolean
  readonly isUsable: boolean
  readonly because: string
  readonly at: string
}

/** The result and time of the last disk check of a server. */
export interface DiskCheck {
  readonly at: string
  /** The disk usage in percent; null if it is unknown, and before the end of the first check. */
  readonly percent: number | null
  /** The reason why the disk usage is unknown; null if it is known. */
  readonly because: string | null
}

/**
 * The state of a transfer of a server between instances: `leaving` on the sending instance, `imported` on the receiving
 * one before it manages the server, and `claimed` after that.
 */
export const TransferState = Schema.Literals(["leaving", "imported", "claimed"])
export type TransferState = typeof TransferState.Type

/** The transfer of a server to or from another instance or team. */
export interface ServerTransfer {
  /** The id of the transfer, which is the same on both instances. */
  readonly exportId: string
  readonly state: TransferState
  /** The time at which the transfer got this state. */
  readonly at: string
  /** The URL of the receiving instance, if the sending one knows it. */
  readonly targetUrl: string | null
}

/** A server that runs applications, databases and services. */
export interface Server extends Entity {
  readonly uuid: ServerUuid
  readonly teamId: TeamId
  readonly name: string
  readonly description: string
  /** The IP address or host name at which the platform connects to the server. */
  readonly ip: string
  readonly port: number
  readonly user: string
  /** The SSH key with which the platform connects to the server; null for the platform's own machine. */
  readonly privateKeyUuid: PrivateKeyUuid | null
  readonly isBuildServer: boolean
  readonly proxyType: ProxyType
  /** The compose file that sets the image of the server's proxy container; null uses the default image. */
  readonly proxyConfiguration: string | null
  /** The parent domain of domains that are generated for applications; null if there is none. */
  readonly wildcardDomain: string | null
  readonly concurrentBuilds: number
  readonly deploymentQueueLimit: number
  /** The timeout of a deployment in seconds. */
  readonly dynamicTimeout: number
  /** The connection timeout in seconds. */
  readonly connectionTimeout: number
  /** How the platform connects to the container engine: through SSH, or with TLS at `enginePort`. */
  readonly engineTransport: EngineTransport
  /** The path of the engine's socket on the server; null uses the first default path that responds. */
  readonly engineSocket: string | null
  /** The port at which the engine listens for TLS connections. */
  readonly enginePort: number
  /**
   * For TLS, in PEM: the CA certificate that signed the engine's; `engineCertificate` is the platform's certificate.
   */
  readonly engineAuthority: string | null
  readonly engineCertificate: string | null
  /** For TLS: the encrypted private key of the platform's certificate. */
  readonly engineKey: Sealed | null
  /** The frequency of cleanups of unused data. */
  readonly cleanupFrequency: string
  /** The frequency of disk usage checks of the server. */
  readonly diskCheckFrequency: string
  /** The disk usage in percent above which the platform warns. */
  readonly diskThreshold: number
  /** The result of the last disk check; null before the first check. */
  readonly diskCheck: DiskCheck | null
  /** Whether the platform records the CPU, memory, disk and network use of the server and its containers. */
  readonly isMetricsEnabled: boolean
  /** The interval between measurements of CPU, memory, disk and network, in seconds. */
  readonly metricsInterval: number
  /** The number of days for which measurements are stored. */
  readonly metricsDays: number
  /** Whether authorized users may open terminals in the containers of the server. */
  readonly isTerminalEnabled: boolean
  /** The external log receivers for the containers of the server, at most one of each type. */
  readonly logDrains: ReadonlyArray<LogDrain>
  /** The result of the last validation; null before the first validation. */
  readonly validation: ServerValidation | null
  /** The last transfer of the server; null if there was none. */
  readonly transfer: ServerTransfer | null
}

/** Returns whether a server is the platform's own machine, which the platform reaches by a local socket. */
export const isLocalServer = ({
  engineTransport,
  privateKeyUuid
}: Pick<Server, "engineTransport" | "privateKeyUuid">): boolean => engineTransport === "ssh" && privateKeyUuid === null

/** Returns whether another instance may manage a server, so that this instance must not connect to it. */
export const isHandedOver = ({ transfer }: Pick<Server, "transfer">): boolean =>
  transfer !== null && transfer.state !== "claimed"

/** Returns whether the disk of a server exceeded its threshold at the last check. */
export const isPastThreshold = ({ diskCheck, diskThreshold }: Server): boolean =>
  diskCheck !== null && diskCheck.percent !== null && diskCheck.percent > diskThreshold

/** Returns whether a server is the platform's own machine: the platform reaches its engine without SSH and TLS. */
export const isOwnMachine = ({ engineTransport, privateKeyUuid }: Server): boolean =>
  engineTransport !== "tls" && privateKeyUuid === null

/** The uuid of a destination (a network of a server). */
export const DestinationUuid = Uuid.pipe(Schema.brand("DestinationUuid"))
export type DestinationUuid = typeof DestinationUuid.Type

/** A destination: a container network of a server to which applications are deployed; unique by name on the server. */
export interface Destination extends Entity {
  readonly uuid: DestinationUuid
  readonly serverUuid: ServerUuid
  /** The team that owns the server of the destination. */
  readonly teamId: TeamId
  readonly name: string
  readonly network: string
}

/** Reports that the server does not exist. */
export class ServerNotFound extends Schema.TaggedError<ServerNotFound>()("ServerNotFound", {}) {}
/** Reports that the destination (a network of a server) does not exist. */
export class DestinationNotFound extends Schema.TaggedError<DestinationNotFound>()("DestinationNotFound", {}) {}

/** Reports that a server is being transferred, so that this instance does not deploy to it. */
export class ServerHandedOver extends Schema.TaggedError<ServerHandedOver>()("ServerHandedOver", {
  server: Schema.String,
  state: TransferState
}) {}

/** Fails for a server that is handed over to another instance. */
export const requireHeld = (server: Server): Effect.Effect<void, ServerHandedOver> =>
  server.transfer === null || !isHandedOver(server)
    ? Effect.void
    : Effect.fail(new ServerHandedOver({ server: server.name, state: server.transfer.state }))

/**
 * Returns why the platform cannot install a container engine on a server; undefined if it can.
 *
 * @example
 * installationProblem({ engineTransport: "ssh", privateKeyUuid: null, user: "root" }) // => "Needs a server that the platform reaches by SSH."
 * installationProblem({ engineTransport: "tls", privateKeyUuid: null, user: "root" }) // => "Needs a server that the platform reaches by SSH."
 */
export const installationProblem = ({
  engineTransport,
  privateKeyUuid,
  user
}: Pick<Server, "engineTransport" | "privateKeyUuid" | "user">): string | undefined => {
  if (engineTransport !== "ssh" || privateKeyUuid === null) return "Needs a server that the platform reaches by SSH."
  return user === "root" ? undefined : "Needs the SSH user `root`, who can install packages."
}
