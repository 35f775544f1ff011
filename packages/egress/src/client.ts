import { isIP } from "node:net"
import { type ConnectionOptions, connect as tlsOver } from "node:tls"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type * as Undici from "@effect/platform-node/Undici"
import { Effect, Scope, Stream } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest } from "effect/http"
import { type Connect, EgressUnreachable } from "./connect.ts"

type Connector = Extract<NonNullable<Undici.Agent.Options["connect"]>, (...args: never) => unknown>

const largestAnswer = 4 * 1_024 * 1_024
/** The idle timeout of a download, in milliseconds: the longest time without received data. */
const longestSilence = 60_000
const mostRedirects = 5
const timeout = "30 seconds"
const longestHandshake = 10_000

const overTls = (connected: ConnectionOptions, callback: Parameters<Connector>[1]): void => {
  const socket = tlsOver(connected)
  const failed = (error: Error) => callback(error, null)
  const tooSlow = () => socket.destroy(new Error("no TLS connection in time"))
  socket.setTimeout(longestHandshake, tooSlow)
  socket.once("error", failed)
  socket.once("secureConnect", () => {
    socket.off("error", failed)
    socket.off("timeout", tooSlow)
    socket.setTimeout(0)
    callback(null, socket)
  })
}

const connectorOver =
  (connect: Connect): Connector =>
  ({ hostname, port, protocol }, callback) => {
    const isTls = protocol === "https:"
    Effect.runPromise(connect(hostname, Number(port) || (isTls ? 443 : 80))).then(
      (socket) => {
        const host = hostname.replace(/^\[(.*)\]$/, "$1")
        const name = isIP(host) === 0 ? host : ""
        if (isTls) overTls({ socket, host, servername: name, ALPNProtocols: ["http/1.1"] }, callback)
        else callback(null, socket)
      },
      (error: { readonly _tag?: string; readonly because?: string }) =>
        callback(
          Object.assign(new Error(error.because ?? String(error)), { refused: error._tag === "EgressRefused" }),
          null
        )
    )
  }

const failure = (request: HttpClientRequest.HttpClientRequest, description: string) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, description }) })

/**
 * Creates the HTTP client for URLs that users enter. It checks every connection, also after redirects, against the
 * egress rule, allows only `http` and `https`, and does not send credentials to another origin.
 */
export const clientOver = Effect.fnUntraced(function* (connect: Connect, maxResponseSize: number = largestAnswer) {
  // The library is loaded with the first request, since many processes send none.
  const cachedClient = yield* Effect.cached(
    Scope.provide(
      Effect.uninterruptible(
        Effect.flatMap(
          NodeHttpClient.makeDispatcherOptions({
            connect: connectorOver(connect),
            maxResponseSize,
            bodyTimeout: longestSilence,
            connections: 32
          }),
          (dispatcher) => Effect.provideService(NodeHttpClient.makeUndici, NodeHttpClient.Dispatcher, dispatcher)
        )
      ),
      yield* Effect.scope
    )
  )
  type Failure = HttpClientError.HttpClientError
  const client = HttpClient.makeWith<Failure, never, Failure, never>(
    Effect.flatMap((request) => Effect.flatMap(cachedClient, (client) => client.execute(request))),
    Effect.succeed
  )
  return client.pipe(
    // Here and not only before the first request, so that redirects are checked as well.
    HttpClient.transform((response, request) =>
      /^https?:\/\//i.test(request.url)
        ? Effect.timeoutOrElse(response, {
            duration: timeout,
            orElse: () => Effect.fail(failure(request, "no answer in time"))
          })
        : Effect.fail(failure(request, "only http and https addresses are supported"))
    )
  )
})

/** A complete HTTP response. */
export interface EgressAnswer {
  readonly status: number
  /** The response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

const because = ({ message, reason }: HttpClientError.HttpClientError): string => {
  const cause: unknown = "cause" in reason ? reason.cause : undefined
  if (cause instanceof Error && cause.message !== "") return cause.message
  return "description" in reason && reason.description !== undefined ? reason.description : message
}

const bounded = <A>(asking: Effect.Effect<A, HttpClientError.HttpClientError>): Effect.Effect<A, EgressUnreachable> =>
  asking.pipe(
    Effect.mapError((error) => new EgressUnreachable({ because: because(error) })),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(new EgressUnreachable({ because: "no answer in time" }))
    })
  )

type Request = HttpClientRequest.HttpClientRequest

/** Returns a function that sends a request and reads the whole response, limited in size and time (invariant I25). */
export const requestWith =
  (client: HttpClient.HttpClient) =>
  (request: Request): Effect.Effect<EgressAnswer, EgressUnreachable> =>
    HttpClient.withScope(client)
      .execute(request)
      .pipe(
        Effect.flatMap(({ headers, status, stream }) =>
          Effect.map(Stream.mkUint8Array(stream), (body) => ({ status, headers, body: new TextDecoder().decode(body) }))
        ),
        Effect.scoped,
        bounded
      )

/** Returns a function that downloads a file of any size as a stream of bytes; fails unless the status is 200. */
export const downloadingWith =
  (client: HttpClient.HttpClient) =>
  (request: Request): Stream.Stream<Uint8Array, EgressUnreachable> =>
    Stream.unwrap(
      Effect.flatMap(HttpClient.withScope(client).execute(request), ({ status, stream }) =>
        status === 200 ? Effect.succeed(stream) : Effect.fail(failure(request, `the answer has the status ${status}`))
      )
    ).pipe(Stream.mapError((error) => new EgressUnreachable({ because: because(error) })))

/** Returns a function that sends a request and returns the status and the headers of the response, without its body. */
export const lookingWith =
  (client: HttpClient.HttpClient) =>
  (request: Request): Effect.Effect<Omit<EgressAnswer, "body">, EgressUnreachable> =>
    HttpClient.withScope(client)
      .execute(request)
      .pipe(
        Effect.map(({ headers, status }) => ({ status, headers })),
        Effect.scoped,
        bounded
      )

const onceTimeout = "10 seconds"
const readingTimeout = "5 seconds"
const largestBeginning = 64 * 1_024

const beginningOf = Effect.fnUntraced(function* (stream: Stream.Stream<Uint8Array, HttpClientError.HttpClientError>) {
  const decoder = new TextDecoder()
  let read = 0
  let text = ""
  const reading = Stream.runForEachWhile(stream, (chunk) =>
    Effect.sync(() => {
      text += decoder.decode(chunk.subarray(0, largestBeginning - read), { stream: true })
      read += chunk.length
      return read < largestBeginning
    })
  )
  // An answer that is slow, incomplete or too long is an answer all the same.
  yield* Effect.ignore(Effect.timeoutOption(reading, readingTimeout))
  return text
})

const wasRefused = ({ reason }: HttpClientError.HttpClientError): boolean => {
  const cause: unknown = "cause" in reason ? reason.cause : undefined
  return cause instanceof Error && "refused" in cause && cause.refused === true
}

/** Reports that a request got no response. `refused` is true if the egress rule denies the address. */
export interface NoAnswer {
  readonly because: string
  readonly refused: boolean
}

/**
 * Returns a function that sends one request without following redirects, and reads only the first 64 KiB of the
 * response.
 */
export const requestOnceWith =
  (client: HttpClient.HttpClient) =>
  (request: Request): Effect.Effect<EgressAnswer, NoAnswer> =>
    HttpClient.withScope(client)
      .execute(request)
      .pipe(
        Effect.mapError((error): NoAnswer => ({ because: because(error), refused: wasRefused(error) })),
        Effect.timeoutOrElse({
          duration: onceTimeout,
          orElse: () => Effect.fail<NoAnswer>({ because: "no answer in time", refused: false })
        }),
        Effect.flatMap(({ headers, status, stream }) =>
          Effect.map(beginningOf(stream), (body) => ({ status, headers, body }))
        ),
        Effect.scoped
      )

/** Makes an HTTP client follow redirects, up to a maximum number. */
export const withRedirects = HttpClient.followRedirects(mostRedirects)
