import type { Socket } from "node:net"
import { type ExactAddress, isExactly } from "@slipway/domain"
import type { EgressRefused } from "@slipway/domain/deploy/infrastructure"
import { Context, Effect, Layer, type Scope, type Stream } from "effect"
import type { HttpClient, HttpClientRequest } from "effect/http"
import {
  clientOver,
  downloadingWith,
  type EgressAnswer,
  lookingWith,
  type NoAnswer,
  requestOnceWith,
  requestWith,
  withRedirects
} from "./client.ts"
import { connector, type EgressOptions, type EgressUnreachable } from "./connect.ts"
import { type EgressProxy, openProxy } from "./proxy.ts"

export type { EgressAnswer, NoAnswer } from "./client.ts"
export { type EgressOptions, EgressUnreachable } from "./connect.ts"

/**
 * Sends requests of this instance to URLs that users enter. All of them are checked by one egress rule (invariants I14,
 * I28), which prevents SSRF.
 */
export class Egress extends Context.Service<
  Egress,
  {
    /** Opens a TCP connection to a host, if the egress rule allows all its addresses. */
    readonly connect: (
      host: string,
      port: number
    ) => Effect.Effect<Socket, EgressRefused | EgressUnreachable, Scope.Scope>
    /**
     * An HTTP client for `http` and `https`. It follows redirects and checks each one; responses are limited to 4 MiB.
     */
    readonly client: HttpClient.HttpClient
    /** Sends a request and reads the whole response, within 30 seconds. */
    readonly ask: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<EgressAnswer, EgressUnreachable>
    /**
     * Downloads a file as a stream. The caller must limit size and duration; after a minute without data the download
     * fails.
     */
    readonly download: (request: HttpClientRequest.HttpClientRequest) => Stream.Stream<Uint8Array, EgressUnreachable>
    /**
     * Sends a request, and returns the status and the headers of the response. Redirects are returned, not followed.
     */
    readonly look: (
      request: HttpClientRequest.HttpClientRequest
    ) => Effect.Effect<Omit<EgressAnswer, "body">, EgressUnreachable>
    /**
     * Sends one request without following redirects. The timeout is 10 seconds; only the first 64 KiB of the body are
     * read.
     */
    readonly askOnce: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<EgressAnswer, NoAnswer>
    /**
     * Sends a request without following redirects, within 30 seconds. The given host and port are allowed even if the
     * address is private.
     */
    readonly askExactly: (
      address: ExactAddress,
      request: HttpClientRequest.HttpClientRequest
    ) => Effect.Effect<EgressAnswer, EgressUnreachable>
    /** Opens an HTTP forward proxy on this machine, for a child process with its own HTTP client. */
    readonly openProxy: Effect.Effect<EgressProxy, EgressUnreachable, Scope.Scope>
  }
>()("@slipway/egress/Egress") {}

/** The value with which the HTTP library Undici limits no response size. */
const unbounded = -1

/** Provides outbound requests that follow the egress rule of this instance. */
export const layerEgress = (options: EgressOptions): Layer.Layer<Egress> =>
  Layer.effect(
    Egress,
    Effect.gen(function* () {
      const connect = connector(options)
      const client = yield* clientOver(connect)
      const files = yield* clientOver(connect, unbounded)
      return {
        connect: (host, port) =>
          Effect.acquireRelease(connect(host, port), (socket) => Effect.sync(() => socket.destroy()), {
            interruptible: true
          }),
        client: withRedirects(client),
        ask: requestWith(withRedirects(client)),
        download: downloadingWith(withRedirects(files)),
        look: lookingWith(client),
        askOnce: requestOnceWith(client),
        askExactly: (address, request) => {
          const isAllowed = (host: string, port: number) => Effect.succeed(isExactly([address], host, port))
          return clientOver(connector({ ...options, isAllowed })).pipe(
            Effect.flatMap((exact) => requestWith(exact)(request)),
            Effect.scoped
          )
        },
        openProxy: openProxy(connect)
      }
    })
  )
