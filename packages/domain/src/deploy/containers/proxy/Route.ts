import { Schema } from "effect"

/** The address of a container, as the proxy connects to it. */
export const Upstream = Schema.Struct({ host: Schema.String, port: Schema.Int })
export type Upstream = typeof Upstream.Type

/** The requests that a route matches: those to a host and port with this path or a path below it. */
export const RouteAddress = Schema.Struct({
  scheme: Schema.Literals(["http", "https"]),
  /** In canonical form: lower case, ASCII, IPv6 in brackets. */
  host: Schema.String,
  port: Schema.Int,
  /** In canonical form, without a trailing slash; empty matches every path. */
  path: Schema.String
})
export type RouteAddress = typeof RouteAddress.Type

/** The HTTP basic auth of a route: a user name and a bcrypt password hash, or no access for anyone. */
export const BasicAuth = Schema.Union([
  Schema.TaggedStruct("Account", { username: Schema.String, hash: Schema.String }),
  Schema.TaggedStruct("Nobody", {})
])
export type BasicAuth = typeof BasicAuth.Type

/** The handling of a request: a container responds, or the proxy redirects it with its path and query. */
export const RouteAnswer = Schema.Union([
  /** Without an upstream, the application does not run and the proxy responds with 503. */
  Schema.TaggedStruct("Forward", {
    upstreams: Schema.Array(Upstream),
    auth: Schema.NullOr(BasicAuth),
    /** Whether responses are compressed for clients that accept it. */
    gzip: Schema.optionalKey(Schema.Literal(true)),
    /** Whether the route's path is stripped from requests to containers. */
    stripsPath: Schema.optionalKey(Schema.Literal(true)),
    /** Whether the route asks search engines not to index it. */
    noindex: Schema.optionalKey(Schema.Literal(true))
  }),
  /** 308 keeps the method and the body. */
  Schema.TaggedStruct("Redirect", {
    scheme: Schema.Literals(["http", "https"]),
    host: Schema.String,
    port: Schema.Int
  })
])
export type RouteAnswer = typeof RouteAnswer.Type

/** One route of an application: an address, and the handling of its requests. */
export const Route = Schema.Struct({ address: RouteAddress, answer: RouteAnswer })
export type Route = typeof Route.Type
