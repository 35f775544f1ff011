import { randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { EgressRefused } from "@slipway/domain/deploy/infrastructure"
import { Effect, Fiber, Redacted, type Scope } from "effect"
import { type Connect, EgressUnreachable } from "./connect.ts"

/** An HTTP forward proxy for one child process. */
export interface EgressProxy {
  /**
   * The proxy URL with a credential that clients must send, so that other users of this machine cannot use the proxy.
   */
  readonly url: Redacted.Redacted
  /** Returns why the last connection was refused or failed; undefined if none was. */
  readonly failure: () => EgressRefused | EgressUnreachable | undefined
}

const target = /^(\[[0-9a-fA-F:.]+\]|[^\s:/[\]@]+):(\d{1,5})$/
const mostConnections = 32

// Headers of one connection aren't forwarded (RFC 9110, 7.6.1).
const ofOneConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade"
])

const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneConnection.has(name)))

/**
 * Opens an HTTP forward proxy on 127.0.0.1 that checks every connection against the egress rule. It closes with the
 * scope.
 */
export const openProxy = (connect: Connect): Effect.Effect<EgressProxy, EgressUnreachable, Scope.Scope> =>
  Effect.gen(function* () {
    const password = randomBytes(24).toString("base64url")
    const expected = Buffer.from(`Basic ${Buffer.from(`slipway:${password}`).toString("base64")}`)
    const open = new Set<Duplex>()
    const opening = new Set<Fiber.Fiber<unknown, unknown>>()
    let failure: EgressRefused | EgressUnreachable | undefined

    const keep = (socket: Duplex) => {
      open.add(socket)
      socket.once("close", () => open.delete(socket))
      socket.on("error", () => {})
    }
    const isLetIn = ({ headers }: IncomingMessage): boolean => {
      const shown = Buffer.from(headers["proxy-authorization"] ?? "")
      return shown.length === expected.length && timingSafeEqual(shown, expected)
    }
    const reach = (host: string, port: number, then: (socket: Socket) => void, otherwise: () => void) => {
      const fiber = Effect.runFork(
        Effect.match(connect(host, port), {
          onFailure: (error) => {
            failure = error
            otherwise()
          },
          onSuccess: (socket) => {
            keep(socket)
            then(socket)
          }
        })
      )
      opening.add(fiber)
      fiber.addObserver(() => opening.delete(fiber))
    }

    const tunnel = (asked: IncomingMessage, caller: Duplex, first: Buffer) => {
      keep(caller)
      const answer = (line: string): void => {
        caller.end(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      }
      const [, host, port] = target.exec(asked.url ?? "") ?? []
      if (!isLetIn(asked)) return answer("407 Proxy Authentication Required\r\nProxy-Authenticate: Basic")
      if (host === undefined) return answer("400 Bad Request")
      return reach(
        host,
        Number(port),
        (socket) => {
          caller.write("HTTP/1.1 200 Connection Established\r\n\r\n")
          socket.write(first)
          socket.pipe(caller).pipe(socket)
          socket.once("close", () => caller.destroy())
          caller.once("close", () => socket.destroy())
        },
        () => answer("403 Forbidden")
      )
    }

    const forward = (asked: IncomingMessage, answer: ServerResponse) => {
      const refuse = (status: number, headers = {}) => {
        answer.writeHead(status, { ...headers, connection: "close" }).end()
      }
      const url = URL.canParse(asked.url ?? "") ? new URL(asked.url ?? "") : undefined
      if (!isLetIn(asked)) return refuse(407, { "proxy-authenticate": "Basic" })
      if (url?.protocol !== "http:") return refuse(400)
      return reach(
        url.hostname,
        Number(url.port) || 80,
        (socket) => {
          const { method } = asked
          const path = `${url.pathname}${url.search}`
          const headers = { ...passedOn(asked.headers), host: url.host, connection: "close" }
          const sent = request({ method, path, headers, createConnection: () => socket, setDefaultHeaders: false })
          sent.on("response", (got) => {
            const { statusCode = 0 } = got
            // An invalid status can't be forwarded: trying to would end the process.
            if (statusCode < 200) return refuse(502)
            answer.writeHead(statusCode, passedOn(got.headers))
            got.pipe(answer)
            got.once("error", () => answer.destroy())
          })
          // The client requested no other protocol.
          sent.on("upgrade", () => refuse(502))
          sent.on("error", () => (answer.headersSent ? answer.destroy() : refuse(502)))
          answer.once("close", () => socket.destroy())
          asked.pipe(sent)
        },
        () => refuse(403)
      )
    }

    const server = createServer({ requestTimeout: 0 }, forward)
    server.maxConnections = mostConnections
    server.on("connect", tunnel)
    server.on("connection", keep)
    yield* Effect.acquireRelease(
      Effect.callback<void, EgressUnreachable>((resume) => {
        server.once("error", ({ message }) => resume(Effect.fail(new EgressUnreachable({ because: message }))))
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.gen(function* () {
          yield* Fiber.interruptAll(opening)
          for (const socket of open) socket.destroy()
          yield* Effect.callback<void>((resume) => {
            server.close(() => resume(Effect.void))
          })
        })
    )
    const { port } = server.address() as AddressInfo
    return { url: Redacted.make(`http://slipway:${password}@127.0.0.1:${port}`), failure: () => failure }
  })
