import { Context, type Effect, type Redacted, type Scope } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"
import type { CertificateValidity } from "../../infrastructure/servers/certificates.ts"
import type { ServerAccess } from "../engine/ServerAccess.ts"
import type { ProbeFailed, ProxyFailure, ProxyUnreachable, RouteTaken } from "./ProxyError.ts"
import type { Route, Upstream } from "./Route.ts"

/** The certificate that the proxy serves for a host. */
export interface ServedCertificate {
  /** The application that serves the host. */
  readonly application: ApplicationUuid
  readonly host: string
  /** The period of validity; null if the proxy has no certificate for the host. */
  readonly validity: CertificateValidity | null
}

/** A health check request that the proxy sends to a new container before it routes requests to it. */
export interface ProbeRequest {
  readonly scheme: "http" | "https"
  readonly method: string
  readonly path: string
  /** The value of the header `Host`; null uses the address of the container. */
  readonly host: string | null
  /** The timeout of the request in seconds. */
  readonly timeout: number
}

/** The response of a container to a health check request. */
export interface ProbeAnswer {
  readonly status: number
  /** The first 64 KiB of the response body, as text. */
  readonly body: string
}

/** The reverse proxy (Caddy) of one server. */
export interface ServerProxy {
  /**
   * Replaces the routes of an application atomically; requests in flight and other applications are not affected.
   *
   * `isWanted` is evaluated under an exclusive lock; if it is false, nothing changes. A caller that replaces a
   * deployment first stores the new one, so that `isWanted` rejects a delayed call with older routes.
   */
  readonly apply: <R = never>(
    application: ApplicationUuid,
    routes: ReadonlyArray<Route>,
    isWanted?: Effect.Effect<boolean, never, R>
  ) => Effect.Effect<void, ProxyFailure | RouteTaken, R>
  /** Removes the routes of an application if `isWanted` is true under the lock; returns whether it had routes. */
  readonly remove: <R = never>(
    application: ApplicationUuid,
    isWanted?: Effect.Effect<boolean, never, R>
  ) => Effect.Effect<boolean, ProxyFailure, R>
  /** Reads the current routes of an application from the proxy, in any order. */
  readonly read: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Route>, ProxyFailure>
  /** Reads the certificate of each HTTPS host from the proxy, without connections to other servers. */
  readonly certificates: Effect.Effect<ReadonlyArray<ServedCertificate>, ProxyFailure>
  /** Sends a health check request to a container through the proxy; the container needs no route. */
  readonly probe: (upstream: Upstream, request: ProbeRequest) => Effect.Effect<ProbeAnswer, ProxyFailure | ProbeFailed>
}

/**
 * Connects to the reverse proxies of servers.
 *
 * Must:
 * - serve the routes of an application after they are applied
 * - replace the routes of an application atomically
 * - change nothing when routes cannot be served
 * - keep the routes of other applications unchanged
 * - lose no routes when several are applied concurrently
 * - reject a route of another application
 * - return the routes as applied
 * - remove the routes of an application
 * - prefer the longest path across all applications
 * - match a path literally, and the paths below it
 * - respond with 404 without a route, and with 503 without a running container
 * - redirect with path and query
 * - allow only callers with the right password, and no caller when none is set
 * - strip the path of a route, and exclude it from search engines, on request
 * - replace forwarded headers of the caller with true values
 * - add an id to each request, unless it has one
 * - skip a queued change that its caller no longer wants
 * - probe a container without a route
 * - return the certificates of hosts with HTTPS, and none of other hosts
 * - serve the same routes after a restart
 */
export class Proxy extends Context.Service<
  Proxy,
  {
    /** Connects to the proxy of a server; starts a proxy container if there is none and the settings allow it. */
    readonly open: (access: ServerAccess) => Effect.Effect<ServerProxy, ProxyUnreachable, Scope.Scope>
    /** Returns whether the platform runs the proxy of a server as a container, so that its image can be chosen. */
    readonly takesImage: (access: ServerAccess) => boolean
    /**
     * Restarts the proxy of a server, even one that does not respond. If the chosen image was changed, the container is
     * replaced.
     */
    readonly restart: (access: ServerAccess) => Effect.Effect<void, ProxyFailure>
  }
>()("@slipway/domain/deploy/Proxy") {}

/**
 * Hashes the passwords of HTTP basic auth with bcrypt, which uses their first 72 bytes.
 *
 * The salt is derived from the application, so that the same password always has the same hash, and the configuration
 * of the proxy does not change without need.
 */
export class BasicAuthHasher extends Context.Service<
  BasicAuthHasher,
  { readonly hash: (application: ApplicationUuid, password: Redacted.Redacted) => Effect.Effect<string> }
>()("@slipway/domain/deploy/BasicAuthHasher") {}
