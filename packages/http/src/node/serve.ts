import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { ByteSize, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter } from "effect/http"
import { routerConfig } from "../server/errorBodies.ts"

/** Where a service listens, and how much it reads. */
export interface ServeOptions {
  readonly host: string
  readonly port: number
  /** The largest body that is read, in mebibytes. */
  readonly largestBody: number
}

/**
 * Serves routes on Node until its scope closes; requests in flight are finished first, for at most twenty seconds.
 */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>, { host, largestBody, port }: ServeOptions) =>
  HttpRouter.serve(routes, { routerConfig, disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(NodeHttpServer.layer(createServer, { host, port })),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(largestBody)))
  )
