import type { BasicAuthHasher, Proxy, ServerAccess, Upstream } from "@slipway/domain/deploy/containers"
import { Context, type Effect, type Scope } from "effect"

/** A request in the form that a container receives it. Header names are in lower case. */
export interface ContainerRequest {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** The response of a container. */
export interface ContainerAnswer {
  readonly status?: number
  readonly body: string
}

/** A visitor's request to the proxy. `port` is the port in the address of the route. */
export interface VisitorRequest {
  readonly scheme: "http" | "https"
  readonly host: string
  readonly port?: number
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The response to a visitor; header names are in lower case. */
export interface VisitorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The test environment of a reverse proxy: containers that respond, and visitors that send requests. */
export class ProxyWorld extends Context.Service<
  ProxyWorld,
  {
    readonly access: ServerAccess
    /** Starts a container. */
    readonly container: (
      answer: (request: ContainerRequest) => ContainerAnswer
    ) => Effect.Effect<Upstream, never, Scope.Scope>
    /** An address without a listener. */
    readonly nowhere: Effect.Effect<Upstream>
    readonly visit: (request: VisitorRequest) => Effect.Effect<VisitorAnswer>
    /** The start of the proxy's addresses, as it writes them itself. */
    readonly origin: (scheme: "http" | "https", host: string) => string
  }
>()("@slipway/testkit/deploy/ProxyWorld") {}

/** The services that the contract tests of proxies need. */
export type ProxyUnderTest = Proxy | BasicAuthHasher | ProxyWorld
