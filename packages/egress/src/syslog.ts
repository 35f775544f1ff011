import { isIP, type Socket } from "node:net"
import { connect as connectSecurely } from "node:tls"
import { SyslogSender, SyslogUnsent } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { Egress } from "./egress.ts"

const timeout = "10 seconds"

const failed = (error: { readonly message: string }) => new SyslogUnsent({ because: error.message })

/** Upgrades a connection to TLS. The server's certificate must be valid for its name or address. */
const secured = (socket: Socket, host: string) =>
  Effect.callback<Socket, SyslogUnsent>((resume) => {
    // A server name in TLS cannot be an IP address; `host` is what the certificate must be valid for.
    const named = isIP(host) === 0 ? { servername: host } : {}
    const encrypted = connectSecurely({ socket, host, ...named }, () => resume(Effect.succeed(encrypted)))
    encrypted.once("error", (error) => resume(Effect.fail(failed(error))))
  })

/**
 * Writes a text and closes the connection. Success means that the operating system has accepted all bytes; the server
 * may still lose them, because syslog has no acknowledgement.
 */
const written = (socket: Socket, text: string) =>
  Effect.callback<void, SyslogUnsent>((resume) => {
    socket.once("error", (error) => resume(Effect.fail(failed(error))))
    socket.end(text, (error?: Error | null) => resume(error ? Effect.fail(failed(error)) : Effect.void))
  })

/**
 * Sends messages to syslog servers, if this instance's egress rule for addresses from users allows it (invariant I14).
 */
export const layerSyslogSender: Layer.Layer<never, never, Egress> = Layer.effect(
  SyslogSender,
  Effect.map(Egress, ({ connect }) => ({
    send: ({ host, isEncrypted, port }, messages) =>
      connect(host, port).pipe(
        Effect.mapError(({ because }) => new SyslogUnsent({ because })),
        Effect.flatMap((socket) => (isEncrypted ? secured(socket, host) : Effect.succeed(socket))),
        Effect.flatMap((socket) => written(socket, messages.join(""))),
        Effect.scoped,
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.fail(new SyslogUnsent({ because: "no answer in time" }))
        })
      )
  }))
)
