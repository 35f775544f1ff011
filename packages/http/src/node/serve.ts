import { createServer, type IncomingMessage, maxHeaderSize, type Server, type ServerResponse } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { ByteSize, Clock, Context, Data, Duration, Effect, Latch, Layer } from "effect"
import {
  HttpIncomingMessage,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  type HttpServerResponse
} from "effect/http"
import { routerConfig } from "../server/errorBodies.ts"
import { Present } from "../server/Present.ts"
import { ServerContext } from "../server/serverContext.ts"
import { ShutdownSignal } from "../server/shutdown.ts"
import { collect, collectWhenIdle } from "./collection.ts"
import type { Listening } from "./settings.ts"
import { WholeResponse } from "./WholeResponse.ts"

/** The address on which a service listens, its limits and its shutdown options. */
export interface ServeOptions extends Listening {
  /** The maximum size of a request body, in MiB. */
  readonly largestBody: number
  /** The maximum number of open connections; a thousand by default. Further connections are closed immediately. */
  readonly mostConnections?: number
  /** The timeout of requests in flight at shutdown; twenty seconds by default. */
  readonly timeout?: Duration.Input
  /** Returns the JSON body of the response to a request with malformed headers; by default `{ message }`. */
  readonly unreadable?: (message: string, base: string) => object
  /** Runs when the service accepts requests; `base` is the URL of the service. */
  readonly onListening: (base: string) => Effect.Effect<void>
}

/** The error of a service that cannot listen on its configured address. */
export class CannotListen extends Data.TaggedError("CannotListen")<{ readonly message: string }> {}

const cannotListen = ({ host, port, portSetting }: Listening, { cause }: HttpServerError.ServeError): CannotListen => {
  const { code, message } = cause as NodeJS.ErrnoException
  switch (code) {
    case "EADDRINUSE":
      return new CannotListen({
        message: `port ${port} on ${host} is in use: stop the other process, or choose another port with \`${portSetting}\``
      })
    case "EACCES":
      return new CannotListen({
        message: `port ${port} needs privileges: choose one from 1024 upwards with \`${portSetting}\``
      })
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new CannotListen({
        message: `\`${host}\` is not an address of this machine: choose another with \`HOST\``
      })
    default:
      return new CannotListen({ message: `port ${port} on ${host} cannot be opened: ${message}` })
  }
}

/** Checks whether a service could listen on its configured address, before any of its resources are created. */
export const canListen = (listening: Listening): Effect.Effect<void, CannotListen> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", (cause) =>
      resume(Effect.fail(cannotListen(listening, new HttpServerError.ServeError({ cause }))))
    )
    server.listen({ host: listening.host, port: listening.port }, () => server.close(() => resume(Effect.void)))
  })

const baseOf = ({ host, port }: Listening, server: Server): string => {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  const address = server.address()
  const bound = typeof address === "object" && address !== null ? address.port : port
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${bound}`
}

/**
 * The timeout for receiving a whole request, long enough for the longest git push.
 *
 * Node's default of five minutes would cut off a large push. Handlers that read a body set an idle timeout.
 */
const longestRequest = Duration.hours(6)

const heads: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    `the request head is larger than ${maxHeaderSize} bytes: send shorter headers or a shorter query`
  ],
  HPE_INVALID_CONTENT_LENGTH: ["400 Bad Request", "the header Content-Length is not a number of bytes"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request took too long to arrive"]
}

/** The response to a `Content-Length` of 2⁶⁴ or more, which Node reports as malformed: 413 instead of 400. */
const tooLong = ["413 Content Too Large", "the body is larger than the service reads"] as const

/** Responds with a JSON body to a request with malformed headers, and closes the connection. */
const answerUnreadable = (server: Server, bodyOf: (message: string) => object) =>
  server.on("clientError", (error: Error & { readonly code?: string; readonly reason?: string }, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy()
      return
    }
    const isOverflow = error.code === "HPE_INVALID_CONTENT_LENGTH" && /overflow/i.test(error.reason ?? "")
    const known = isOverflow ? tooLong : heads[error.code ?? ""]
    const [status, message] = known ?? ["400 Bad Request", "the request is not valid HTTP"]
    const body = JSON.stringify(bodyOf(message))
    const head = [
      `HTTP/1.1 ${status}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close"
    ]
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
  })

const streamsEndWithin = "1 second"

/** Tracks the open event streams, so that shutdown can close streams that their client does not read. */
const openStreams = () => {
  const open = new Set<ReturnType<typeof NodeHttpServerRequest.toServerResponse>>()
  const notice = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const sent = NodeHttpServerRequest.toServerResponse(request)
    open.add(sent)
    sent.once("close", () => open.delete(sent))
  })
  const noticed = (response: HttpServerResponse.HttpServerResponse) =>
    response.headers["content-type"] === "text/event-stream" ? Effect.as(notice, response) : Effect.succeed(response)
  const cut = Effect.sync(() => {
    for (const response of open) response.destroy()
  })
  return { noticed, cut }
}

/**
 * How many services can be added to the Effect context of a request without copying the context; more than any request
 * adds.
 */
const ownServices = 32

const withRoom = <A, E, R>(serving: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(serving, (context: Context.Context<R>) =>
    Context.makeUnsafe<R>(context.mapUnsafe, { maxDepth: ownServices })
  )

/** The maximum size of a WebSocket message in bytes; a larger one closes the connection (invariant I25). */
const largestMessage = 65_536

const goodbyeWithin = Duration.millis(500)

/**
 * Makes the effect that closes keep-alive connections at shutdown: each response is then the last on its connection.
 *
 * Idle connections are closed after a short grace period, because a request that is already on its way would be lost.
 */
const goodbyes = (server: Server<typeof IncomingMessage, typeof WholeResponse>) => {
  const open = new Present<WholeResponse>()
  let leaving = false
  const last = (response: ServerResponse) => {
    response.shouldKeepAlive = false
    if (response.headersSent) response.once("finish", () => response.socket?.end())
  }
  const closed = function (this: WholeResponse) {
    open.delete(this)
  }
  server.on("request", (_, response) => {
    if (leaving) return last(response)
    open.add(response)
    response.on("close", closed)
  })
  const connections = Effect.callback<number>((resume) => {
    server.getConnections((_, count) => resume(Effect.succeed(count ?? 0)))
  })
  const left: Effect.Effect<void> = Effect.flatMap(connections, (count) =>
    count === open.size ? Effect.void : Effect.andThen(Effect.sleep("20 millis"), left)
  )
  return Effect.andThen(
    Effect.sync(() => {
      leaving = true
      for (const response of open.all()) last(response)
    }),
    Effect.ignore(Effect.timeout(left, goodbyeWithin))
  )
}

/**
 * Serves routes on Node until its scope closes.
 *
 * At shutdown, event streams end immediately; other requests in flight are finished first, within `timeout`.
 *
 * The port opens only after every route is registered: no request is answered, or kept waiting, by a half-started
 * service.
 */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>, options: ServeOptions) =>
  Effect.gen(function* () {
    const ending = yield* Latch.make()
    const whenEnding = Effect.provideService(ShutdownSignal, ending.await)
    const app = yield* whenEnding(HttpRouter.toHttpEffect(routes))
    const server = createServer({ requestTimeout: Duration.toMillis(longestRequest), ServerResponse: WholeResponse })
    server.maxConnections = options.mostConnections ?? 1_000
    const bodyOf = options.unreadable ?? ((message) => ({ message }))
    answerUnreadable(server, (message) => bodyOf(message, baseOf(options, server)))
    const goodbye = goodbyes(server)
    const { cut, noticed } = openStreams()
    const http = yield* NodeHttpServer.make(() => server, {
      host: options.host,
      port: options.port,
      gracefulShutdownTimeout: options.timeout ?? Duration.seconds(20),
      websocket: { maxPayload: largestMessage }
    }).pipe(Effect.mapError((error) => cannotListen(options, error)))
    const context = yield* Effect.context<never>()
    const answers = Effect.flatMap(app, noticed)
    yield* withRoom(whenEnding(Effect.provideService(http.serve(answers), ServerContext, context)))
    // The last finalizer added runs first.
    yield* Effect.addFinalizer(() =>
      Effect.andThen(
        Effect.andThen(ending.open, Effect.forkDetach(Effect.delay(cut, streamsEndWithin))),
        Effect.provideService(goodbye, Clock.Clock, Clock.Clock.defaultValue())
      )
    )
    yield* options.onListening(baseOf(options, server))
    // V8 derives the limit of the heap from its size after a full collection: it would allow twice what loading took.
    yield* collect
    yield* Effect.forkScoped(Effect.provideService(collectWhenIdle(), Clock.Clock, Clock.Clock.defaultValue()))
  }).pipe(
    Layer.effectDiscard,
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.provide(Layer.succeed(HttpRouter.RouterConfig, routerConfig)),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(options.largestBody)))
  )
