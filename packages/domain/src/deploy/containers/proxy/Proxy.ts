import { Context, type Effect, type Redacted, type Scope } from "effect"
import type { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

import type { ServerAccess } from "../engine/ServerAccess.ts"
import type { ProbeFailed, ProxyFailure, ProxyUnreachable, RouteTaken } from "./ProxyError.ts"
import type { Route, Upstream } from "./Route.ts"

/** A request that the proxy sends to a container that doesn't serve yet. */
export interface ProbeRequest {
  readonly scheme: "http" | "https"
  readonly method: string
  readonly path: string
  /** The header `Host`; null is the upstream's own address. */
  readonly host: string | null
  /** Seconds. */
  readonly timeout: number
}

/** The response of a container to a probe. */
export interface ProbeAnswer {
  readonly status: number
  /** Its first 64 KiB, as text. */
  readonly body: string
}

/** The proxy of one server. */
export interface ServerProxy {
  /**
   * Replaces the routes of an application atomically; requests in flight and other applications are not affected.
   *
   * `isWanted` is evaluated under an exclusive lock, so that an earlier decision does not undo a later switch. A caller
   * that switches must store the new target before these routes are applied.
   */
  readonly apply: <R = never>(
    application: ApplicationUuid,
    routes: ReadonlyArray<Route>,
    isWanted?: Effect.Effect<boolean, never, R>
  ) => Effect.Effect<void, ProxyFailure | RouteTaken, R>
  /** Removes the routes of an application if `isWanted` confirms it under the lock; true when it had any. */
  readonly remove: <R = never>(
    application: ApplicationUuid,
    isWanted?: Effect.Effect<boolean, never, R>
  ) => Effect.Effect<boolean, ProxyFailure, R>
  /** Gives the routes of an application as the proxy has them, in no particular order. */
  readonly read: (application: ApplicationUuid) => Effect.Effect<ReadonlyArray<Route>, ProxyFailure>
  /** Sends a request to a container through the proxy, whatever its routes are. */
  readonly probe: (upstream: Upstream, request: ProbeRequest) => Effect.Effect<ProbeAnswer, ProxyFailure | ProbeFailed>
}

/**
 * Opens the proxies of servers.
 *
 * Must:
 * - serve the routes of an application once they are applied
 * - replace the routes of an application at once
 * - leave everything as it was when routes can't be served
 * - leave the routes of other applications alone
 * - lose no routes when several are applied at once
 * - refuse a route that another application has
 * - give back the routes as they were applied
 * - remove the routes of an application
 * - prefer the longest path, whoever has it
 * - take a path for what it is and what lies below it
 * - answer 404 where there is no route, and 503 where nothing runs
 * - redirect with path and query
 * - let in only who knows the password, and nobody where there is none
 * - strip the path of a route, and tell search engines to leave it out, where the route says so
 * - tell containers who asks, whatever a caller says of it
 * - give every request an id, and keep the one that it has
 * - change nothing that isn't wanted any more when it is its turn
 * - probe a container that no route leads to
 * - serve the same routes when it was started again
 */
export class Proxy extends Context.Service<
  Proxy,
  {
    /** Gives the proxy of a server, which is started when it isn't there and the settings say that it may be. */
    readonly open: (access: ServerAccess) => Effect.Effect<ServerProxy, ProxyUnreachable, Scope.Scope>
    /** Ends the proxy of a server, also one that doesn't answer any more, and starts it again. */
    readonly restart: (access: ServerAccess) => Effect.Effect<void, ProxyFailure>
  }
>()("@slipway/domain/deploy/Proxy") {}

/**
 * Hashes the passwords of HTTP basic auth in the form that proxies take: bcrypt, which heeds their first 72 bytes.
 *
 * The salt is the application's, so that a password that stays the same changes nothing at the proxy.
 */
export class BasicAuthHasher extends Context.Service<
  BasicAuthHasher,
  { readonly hash: (application: ApplicationUuid, password: Redacted.Redacted) => Effect.Effect<string> }
>()("@slipway/domain/deploy/BasicAuthHasher") {}
