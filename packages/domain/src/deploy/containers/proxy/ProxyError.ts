import { Schema } from "effect"
import { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

/** Reports that a server's proxy does not respond, with the reason; a retry may succeed. */
export class ProxyUnreachable extends Schema.TaggedError<ProxyUnreachable>()("ProxyUnreachable", {
  because: Schema.String
}) {}

/** Reports why the proxy rejected a new configuration; the proxy continues to serve the previous configuration. */
export class ProxyRefused extends Schema.TaggedError<ProxyRefused>()("ProxyRefused", { because: Schema.String }) {}

/** Reports that the address of a route belongs to another application (invariant I28: each domain has one owner). */
export class RouteTaken extends Schema.TaggedError<RouteTaken>()("RouteTaken", {
  /** The address as `http://host:port/path`. */
  address: Schema.String,
  holder: ApplicationUuid
}) {}

/** Reports that a health check request got no response before its timeout, with the reason. */
export class ProbeFailed extends Schema.TaggedError<ProbeFailed>()("ProbeFailed", { because: Schema.String }) {}

/** The errors that every request to a proxy can return. */
export type ProxyFailure = ProxyUnreachable | ProxyRefused
