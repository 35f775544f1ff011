import type { Redacted } from "effect"
import type { ServerUuid } from "../../infrastructure/servers/Server.ts"

interface Reached {
  /** The server; all users of the same access share one connection. */
  readonly server: ServerUuid
  /** The connection timeout in seconds. */
  readonly connectionTimeout: number
  /** The image of the container of its proxy; that of the instance if omitted. */
  readonly proxyImage?: string
}

/** The platform's own machine, by the unix socket of its engine. */
export interface LocalAccess extends Reached {
  readonly _tag: "Local"
  /** The path of the engine's socket; null selects the first existing default path of Docker or Podman. */
  readonly socket: string | null
}

/** A server with an engine that listens on TCP and authenticates clients by certificate. */
export interface TcpAccess extends Reached {
  readonly _tag: "Tcp"
  readonly host: string
  readonly port: number
  /** The certificates in PEM: the authority of the engine's certificate, and the client's own with its key. */
  readonly authority: string
  readonly certificate: string
  readonly privateKey: Redacted.Redacted
}

/** A server reached by SSH; its engine's socket is forwarded, and no command runs there. */
export interface SshAccess extends Reached {
  readonly _tag: "Ssh"
  readonly host: string
  readonly port: number
  readonly user: string
  readonly privateKey: Redacted.Redacted
  /**
   * The path of the engine's socket on the server; null selects the first default path of Docker or Podman that
   * answers.
   */
  readonly socket: string | null
}

/** The connection to a server's engine. */
export type ServerAccess = LocalAccess | TcpAccess | SshAccess

/** The default sockets of engines: Docker, then Podman. */
export const usualSockets = ["/var/run/docker.sock", "/run/podman/podman.sock"] as const
