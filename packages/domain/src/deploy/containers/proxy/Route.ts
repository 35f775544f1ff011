import { Schema } from "effect"

/** The host and port at which the proxy connects to a container. */
export const Upstream = Schema.Struct({ host: Schema.String, port: Schema.Int })
export type Upstream = typeof Upstream.Type

/** The address of a route: it matches requests to this host and port with this path, or a path below it. */
export const RouteAddress = Schema.Struct({
  scheme: Schema.Literals(["http", "https"]),
  /** The host name in lower-case ASCII, or an IP address; IPv6 is in brackets. */
  host: Schema.String,
  port: Schema.Int,
  /** The normalized path without a trailing slash; an empty text matches every path. */
  path: Schema.String
})
export type RouteAddress = typeof RouteAddress.Type

/** The HTTP basic auth of a route: a user name with a bcrypt password hash, or the rejection of every request. */
export const BasicAuth = Schema.Union([
  Schema.TaggedStruct("Account", { username: Schema.String, hash: Schema.String }),
  Schema.TaggedStruct("Nobody", {})
])
export type BasicAuth = typeof BasicAuth.Type

/** The action of a route: forward requests to a container, or redirect them to a host with the same path and query. */
export const RouteAnswer = Schema.Union([
  /** Forwards requests to a container. With an empty list, the application does not run and the response is 503. */
  Schema.TaggedStruct("Forward", {
    upstreams: Schema.Array(Upstream),
    auth: Schema.NullOr(BasicAuth),
    /** Whether responses are compressed with gzip for clients that accept it. */
    gzip: Schema.optionalKey(Schema.Literal(true)),
    /** Whether the route's path is stripped from requests to containers. */
    stripsPath: Schema.optionalKey(Schema.Literal(true)),
    /** Whether responses have a header that tells search engines not to index them. */
    noindex: Schema.optionalKey(Schema.Literal(true))
  }),
  /** Redirects requests; status 308 makes clients keep the method and the body. */
  Schema.TaggedStruct("Redirect", {
    scheme: Schema.Literals(["http", "https"]),
    host: Schema.String,
    port: Schema.Int
  })
])
export type RouteAnswer = typeof RouteAnswer.Type

/** One route of an application in the proxy: an address, and the action for requests to it. */
export const Route = Schema.Struct({ address: RouteAddress, answer: RouteAnswer })
export type Route = typeof Route.Type
