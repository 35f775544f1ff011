import { existsSync } from "node:fs"
import { readFile, statfs } from "node:fs/promises"
import { connect as connectTo, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { connect as connectSecurely } from "node:tls"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type * as Undici from "@effect/platform-node/Undici"
import {
  type DiskSpace,
  EngineUnreachable,
  type HostKeyChanged,
  type ServerAccess,
  type SshAccess,
  usualSockets
} from "@slipway/domain/deploy/containers"
import { type SshConnection, SshConnections, SshUnreachable } from "@slipway/ssh"
import { Effect, Redacted, Scope } from "effect"
import type { HttpClient } from "effect/http"

/** The transport to an engine: an HTTP client that connects to it, and the base URL. */
export interface Transport {
  readonly client: HttpClient.HttpClient
  readonly base: string
  /** Opens a raw byte stream to the engine. */
  readonly stream: Effect.Effect<Duplex, EngineUnreachable>
  /**
   * Returns the used and free space of the disk that contains a folder on the engine's machine; null if the transport
   * does not support this.
   */
  readonly spaceAt: ((folder: string) => Effect.Effect<DiskSpace, EngineUnreachable>) | null
  /** Reads a small text file on the engine's machine; null if the transport does not support this. */
  readonly readText: ((path: string) => Effect.Effect<string, EngineUnreachable>) | null
}

/** Opens a socket and waits for the event that reports the open connection. */
const opening = (open: () => Socket, event: "connect" | "secureConnect") =>
  Effect.callback<Duplex, EngineUnreachable>((resume) => {
    const socket = open()
    socket.once(event, () => resume(Effect.succeed(socket)))
    socket.once("error", ({ message }) => resume(Effect.fail(new EngineUnreachable({ because: message }))))
    return Effect.sync(() => socket.destroy())
  })

// Waiting for containers and following their logs take one connection each.
const mostConnections = 256

const clientOver = (connect: NonNullable<Undici.Agent.Options["connect"]>) =>
  Effect.gen(function* () {
    const dispatcher = yield* NodeHttpClient.makeDispatcherOptions({ connections: mostConnections, connect })
    return yield* Effect.provideService(NodeHttpClient.makeUndici, NodeHttpClient.Dispatcher, dispatcher)
  })

/**
 * Reads the used and free space of a local disk. Fails if the platform runs in a container that does not contain the
 * engine's folder.
 */
const spaceAt = (folder: string) =>
  Effect.tryPromise({
    try: () => statfs(folder),
    catch: (error) => new EngineUnreachable({ because: String(error instanceof Error ? error.message : error) })
  }).pipe(Effect.map(({ bavail, bfree, blocks, bsize }) => ({ used: (blocks - bfree) * bsize, free: bavail * bsize })))

const readText = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => new EngineUnreachable({ because: String(error instanceof Error ? error.message : error) })
  })

const overSocket = Effect.fnUntraced(function* (chosen: string | null, timeout: number) {
  const socketPath = chosen ?? usualSockets.find((path) => existsSync(path))
  if (socketPath === undefined) {
    const because = `no container engine listens on ${usualSockets.join(" or ")}`
    return yield* new EngineUnreachable({ because })
  }
  return {
    client: yield* clientOver({ socketPath, timeout }),
    base: "http://engine",
    stream: opening(() => connectTo(socketPath), "connect"),
    spaceAt,
    readText
  }
})

const throughServer = (connection: SshConnection, sockets: ReadonlyArray<string>) => {
  const [first, ...others] = sockets.map((socket) =>
    connection.stream({ socket }).pipe(Effect.mapError(({ because }) => `${socket} on the server: ${because}`))
  )
  const opened = others.reduce((tried, next) => Effect.catch(tried, () => next), first ?? Effect.fail("no socket"))
  return Effect.mapError(opened, (because) => new SshUnreachable({ because }))
}

const overSsh = Effect.fnUntraced(function* (access: SshAccess) {
  const connections = yield* SshConnections
  const scope = yield* Effect.scope
  const connected = Scope.provide(connections.open(access), scope)
  const opened = Effect.flatMap(connected, (connection) =>
    throughServer(connection, access.socket === null ? usualSockets : [access.socket])
  )
  // The first connection is made here, so that its error has more detail than a failed request.
  yield* Effect.catchTag(connected, "SshUnreachable", ({ because }) => new EngineUnreachable({ because }))
  const client = yield* clientOver((_, callback) => {
    Effect.runPromise(opened).then(
      // A forwarded stream has all parts of a socket that the client uses.
      (stream: Duplex) => callback(null, stream as Parameters<typeof callback>[1] & Duplex),
      (error: SshUnreachable | HostKeyChanged) =>
        callback(new Error(error._tag === "SshUnreachable" ? error.because : `another host key: ${error.shown}`), null)
    )
  })
  const stream = Effect.mapError(
    opened,
    (error) =>
      new EngineUnreachable({
        because: error._tag === "SshUnreachable" ? error.because : "the host key does not match"
      })
  )
  const using = <A>(use: (connection: SshConnection) => Effect.Effect<A, SshUnreachable>) =>
    Effect.flatMap(connected, use).pipe(
      Effect.mapError(
        (error) =>
          new EngineUnreachable({ because: "because" in error ? error.because : "the host key does not match" })
      )
    )
  const spaceAt = (folder: string) => using((connection) => connection.space(folder))
  const readText = (path: string) => using((connection) => connection.readText(path))
  return { client, base: "http://engine", stream, spaceAt, readText }
})

const hostInAddress = (host: string): string => (host.includes(":") ? `[${host}]` : host)

/** Returns the transport to the container engine of a server. */
export const transportTo = (
  access: ServerAccess
): Effect.Effect<Transport, EngineUnreachable | HostKeyChanged, Scope.Scope | SshConnections> => {
  const timeout = access.connectionTimeout * 1_000
  switch (access._tag) {
    case "Local":
      return overSocket(access.socket, timeout)
    case "Ssh":
      return overSsh(access)
    case "Tcp": {
      const { authority: ca, certificate: cert, host, port } = access
      const secrets = { ca, cert, key: Redacted.value(access.privateKey), timeout }
      return Effect.map(clientOver(secrets), (client) => ({
        client,
        base: `https://${hostInAddress(host)}:${port}`,
        stream: opening(() => connectSecurely({ ...secrets, host, port }), "secureConnect"),
        spaceAt: null,
        readText: null
      }))
    }
  }
}
