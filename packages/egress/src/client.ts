import { isIP } from "node:net"
import { type ConnectionOptions, connect as tlsOver } from "node:tls"
import { NodeHttpClient } from "@effect/platform-node"
import type * as Undici from "@effect/platform-node/Undici"
import { Effect, Scope, Stream } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest } from "effect/http"
import { type Connect, EgressUnreachable } from "./connect.ts"

type Connector = Extract<NonNullable<Undici.Agent.Options["connect"]>, (...args: never) => unknown>

const largestAnswer = 4 * 1_024 * 1_024
/** How long a file may stop coming, in milliseconds. */
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
 * Makes the client for addresses that others name: each connection is checked, those that redirects lead to as well, only http
 * and https are spoken, and credentials don't follow to another origin.
 */
export const clientOver = Effect.fnUntraced(function* (connect: Connect, maxResponseSize: number = largestAnswer) {
  // The library is loaded with the first request, since many a process sends none.
  const made = yield* Effect.cached(
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
    Effect.flatMap((request) => Effect.flatMap(made, (client) => client.execute(request))),
    Effect.succeed
  )
  return client.pipe(
    // Here and not before the first request alone, so that what a redirect leads to is looked at as well.
    HttpClient.transform((response, request) =>
      /^https?:\/\//i.test(request.url)
        ? Effect.timeoutOrElse(response, {
            duration: timeout,
            orElse: () => Effect.fail(failure(request, "no answer in time"))
          })
        : Effect.fail(failure(request, "only http and https addresses are asked"))
    )
  )
})

/** An answer, read to its end. */
export interface EgressAnswer {
  readonly status: number
  /** Names are in lower case. */
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

/** Returns the function that asks and reads the whole answer, bounded in size and in time (invariant I25). */
export const askingWith =
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

/** Returns the function that asks for a file, however large it is, and hands its bytes on as they come. */
export const downloadingWith =
  (client: HttpClient.HttpClient) =>
  (request: Request): Stream.Stream<Uint8Array, EgressUnreachable> =>
    Stream.unwrap(
      Effect.flatMap(HttpClient.withScope(client).execute(request), ({ status, stream }) =>
        status === 200 ? Effect.succeed(stream) : Effect.fail(failure(request, `the answer has the status ${status}`))
      )
    ).pipe(Stream.mapError((error) => new EgressUnreachable({ because: because(error) })))

/** Returns the function that asks for the head of an answer. */
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
  // What drips, breaks off or is too long was an answer all the same.
  yield* Effect.ignore(Effect.timeoutOption(reading, readingTimeout))
  return text
})

const wasRefused = ({ reason }: HttpClientError.HttpClientError): boolean => {
  const cause: unknown = "cause" in reason ? reason.cause : undefined
  return cause instanceof Error && "refused" in cause && cause.refused === true
}

/** Reports that there was no answer; a refused address is one that requests must not reach. */
export interface NoAnswer {
  readonly because: string
  readonly refused: boolean
}

/** Returns the function that asks once, follows nothing, and reads the beginning of the answer alone. */
export const onceWith =
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

/** Follows the redirects of a client, a few of them. */
export const following = HttpClient.followRedirects(mostRedirects)
