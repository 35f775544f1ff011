import { Agent, type IncomingMessage, request as send } from "node:http"
import { Effect, Schema } from "effect"
import type { AdminAddress } from "./settings.ts"

/** Reports that no answer came, and why. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", { because: Schema.String }) {}

/** A request to Caddy. */
export interface Exchange {
  readonly method: string
  readonly path: string
  /** Names and values as they are sent; `Host` is among them. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: string
  /** Milliseconds. */
  readonly timeout: number
  /** The bytes of the answer that are read; what comes after them is left. */
  readonly limit: number
}

/** What Caddy answers. */
export interface Answered {
  readonly status: number
  /** Headers and trailers, by names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

// No connection outlives its exchange: Caddy closes those of its admin API whenever it takes another configuration.
const agent = new Agent({ keepAlive: false })

const words = (cause: Error & { readonly code?: string }): string => {
  switch (cause.code) {
    case "ENOENT":
      return "its socket is not there"
    case "ECONNREFUSED":
      return "nothing listens there"
    case "EACCES":
      return "this user may not use its socket"
    default:
      return cause.message
  }
}

/** Sends a request and gives what comes back; interruption closes the connection. */
export const exchange = (address: AdminAddress, { body, headers, limit, method, path, timeout }: Exchange) =>
  Effect.callback<Answered, NoAnswer>((resume) => {
    const fail = (because: string) => resume(Effect.fail(new NoAnswer({ because })))
    const payload = Buffer.from(body ?? "")
    const request = send({
      ...(address._tag === "Socket" ? { socketPath: address.path } : { host: address.host, port: address.port }),
      agent,
      method,
      path,
      // As a list, since Node puts another host in the place of an empty one.
      headers: [...headers, ["Content-Length", String(payload.length)]].flat()
    })
    const timer = setTimeout(() => {
      fail(`there was no answer within ${timeout / 1000} seconds`)
      request.destroy()
    }, timeout)
    const end = (response: IncomingMessage, read: ReadonlyArray<Buffer>) => {
      clearTimeout(timer)
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
      response.on("error", (cause) => fail(words(cause)))
    })
    request.on("error", (cause) => {
      clearTimeout(timer)
      fail(words(cause))
    })
    request.end(payload)
    return Effect.sync(() => {
      clearTimeout(timer)
      request.destroy()
    })
  })
