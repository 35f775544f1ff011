import { Agent, type IncomingMessage, request as send } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { Effect, Schema } from "effect"
import type { AdminAddress } from "./settings.ts"

/** The error of a request to Caddy without a response, with the reason. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", {
  because: Schema.String,
  /**
   * `absent` if no process listens at the address, `lost` if the connection was closed before the response, `other` for
   * another error.
   */
  reason: Schema.Literals(["absent", "lost", "other"])
}) {}

/** A way to connect to a listener of Caddy. */
export interface Transport {
  readonly address: AdminAddress
  /** The `Host` header that the listener accepts; by default its own address. */
  readonly host?: string
  /** Opens a stream to the listener, such as an SSH tunnel. With null, this machine connects directly. */
  readonly connect: Effect.Effect<Duplex, NoAnswer> | null
}

/** Returns the `Host` header of requests to an address; it is empty for a unix socket. */
export const hostOf = (address: AdminAddress): string =>
  address._tag === "Socket" ? "" : `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`

/** Returns the `Host` header of requests to a listener. */
export const hostAt = ({ address, host }: Pick<Transport, "address" | "host">): string => host ?? hostOf(address)

/** An HTTP request to Caddy. */
export interface Exchange {
  readonly method: string
  readonly path: string
  /** The headers to send; they must include `Host`. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: string
  /** The timeout of the complete request in milliseconds. */
  readonly timeout: number
  /** Maximum number of bytes of the response body that are read; further bytes are ignored. */
  readonly limit: number
}

/** An HTTP response of Caddy. */
export interface Answered {
  readonly status: number
  /** The response headers and trailers, by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

// Connections aren't reused: Caddy closes those of its admin API whenever it loads another configuration.
const agent = new Agent({ keepAlive: false })

const noAnswer = (because: string, reason: NoAnswer["reason"] = "other") => new NoAnswer({ because, reason })

const explained = (cause: NodeJS.ErrnoException): NoAnswer => {
  switch (cause.code) {
    case "ENOENT":
      return noAnswer("its socket does not exist", "absent")
    case "ECONNREFUSED":
      return noAnswer("nothing listens there", "absent")
    case "EACCES":
      return noAnswer("this user has no permission to use its socket")
    case "ECONNRESET":
    case "EPIPE":
      return noAnswer(cause.message, "lost")
    default:
      return noAnswer(cause.message)
  }
}

const exchangeOn = (
  address: AdminAddress,
  stream: Duplex | null,
  { body, headers, limit, method, path, timeout }: Exchange
) =>
  Effect.callback<Answered, NoAnswer>((resume) => {
    const fail = (error: NoAnswer) => resume(Effect.fail(error))
    const payload = Buffer.from(body ?? "")
    const request = send({
      ...(address._tag === "Socket" ? { socketPath: address.path } : { host: address.host, port: address.port }),
      // A forwarded stream has all parts of a socket that an exchange uses.
      ...(stream === null ? { agent } : { createConnection: () => stream as Socket }),
      method,
      path,
      // As a list, since Node replaces an empty host.
      headers: [...headers, ["Content-Length", String(payload.length)], ["Connection", "close"]].flat()
    })
    const end = (response: IncomingMessage, read: ReadonlyArray<Buffer>) => {
      const headers = { ...response.headers, ...response.trailers } as Record<string, string | undefined>
      const text = Buffer.concat(read).subarray(0, limit).toString("utf8")
      resume(Effect.succeed({ status: response.statusCode ?? 0, headers, body: text }))
      request.destroy()
    }
    request.on("response", (response) => {
      const read: Array<Buffer> = []
      let size = 0
      response.on("data", (chunk: Buffer) => {
        read.push(chunk)
        size += chunk.length
        if (size >= limit) end(response, read)
      })
      response.on("end", () => end(response, read))
      response.on("error", (cause) => fail(noAnswer(cause.message, "lost")))
    })
    request.on("error", (cause) => {
      fail(explained(cause))
    })
    request.end(payload)
    return Effect.sync(() => void request.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(noAnswer(`it did not respond within ${timeout / 1000} seconds`))
    })
  )

/** Sends an HTTP request and returns the response. An interruption closes the connection. */
export const exchange = ({ address, connect }: Transport, what: Exchange): Effect.Effect<Answered, NoAnswer> =>
  connect === null
    ? exchangeOn(address, null, what)
    : Effect.flatMap(connect, (stream) => exchangeOn(address, stream, what))
