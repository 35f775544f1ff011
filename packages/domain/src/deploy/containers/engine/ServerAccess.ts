import type { Redacted } from "effect"
import type { ServerUuid } from "../../infrastructure/servers/Server.ts"

interface Reached {
  /** The uuid of the server; equal access data shares one connection. */
  readonly server: ServerUuid
  /** The connection timeout in seconds. */
  readonly connectionTimeout: number
  /** The image of the server's proxy container; the default of the instance if omitted. */
  readonly proxyImage?: string
}

/** Access to the engine of the machine that the platform runs on, through a unix socket. */
export interface LocalAccess extends Reached {
  readonly _tag: "Local"
  /** The path of the engine's socket; null uses the first of {@link usualSockets} that exists. */
  readonly socket: string | null
}

/** Access to an engine that listens on TCP and authenticates clients by TLS certificate. */
export interface TcpAccess extends Reached {
  readonly _tag: "Tcp"
  readonly host: string
  readonly port: number
  /** The CA certificate that signed the engine's certificate, in PEM; the next two fields are for the client. */
  readonly authority: string
  readonly certificate: string
  readonly privateKey: Redacted.Redacted
}

/** Access to a server by SSH, which only forwards the engine's unix socket and runs no command on the server. */
export interface SshAccess extends Reached {
  readonly _tag: "Ssh"
  readonly host: string
  readonly port: number
  readonly user: string
  readonly privateKey: Redacted.Redacted
  /**
   * The path of the engine's socket on the server; null uses the first of {@link usualSockets} that responds.
   */
  readonly socket: string | null
}

/** The data to connect to the container engine of a server: local socket, TCP with TLS, or SSH. */
export type ServerAccess = LocalAccess | TcpAccess | SshAccess

/** The default socket paths of Docker and Podman, in the order in which they are tried. */
export const usualSockets = ["/var/run/docker.sock", "/run/podman/podman.sock"] as const
