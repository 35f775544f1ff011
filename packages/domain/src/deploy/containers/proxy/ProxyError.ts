import { Schema } from "effect"
import { ApplicationUuid } from "../../base/ids/ApplicationUuid.ts"

/** Reports that a server's proxy does not respond, with the reason; a retry may succeed. */
export class ProxyUnreachable extends Schema.TaggedError<ProxyUnreachable>()("ProxyUnreachable", {
  because: Schema.String
}) {}

/** Reports that the proxy cannot apply the configuration, and why; it continues to serve the previous one. */
export class ProxyRefused extends Schema.TaggedError<ProxyRefused>()("ProxyRefused", { because: Schema.String }) {}

/** Reports that another application has the route (invariant I28). */
export class RouteTaken extends Schema.TaggedError<RouteTaken>()("RouteTaken", {
  /** The address as `http://host:port/path`. */
  address: Schema.String,
  holder: ApplicationUuid
}) {}

/** Reports that a probe got no response in time, with the reason. */
export class ProbeFailed extends Schema.TaggedError<ProbeFailed>()("ProbeFailed", { because: Schema.String }) {}

/** The errors of every request to a proxy. */
export type ProxyFailure = ProxyUnreachable | ProxyRefused
