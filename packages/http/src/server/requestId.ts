import { Context, Effect, References, Tracer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { HttpServerRequest } from "effect/http"

/** Matches a valid request id in the header `X-Request-Id`, which a reverse proxy can set. */
const proxyRequestId = /^[\w.:-]{8,64}$/

/**
 * Makes a function that returns the id of a request: its `X-Request-Id` if valid, else a new id unique to the process.
 */
export const requestIds = (
  random: SecureRandom.SecureRandom["Service"]
): Effect.Effect<(request: HttpServerRequest.HttpServerRequest) => string> =>
  Effect.map(random.randomBytes(8), (bytes) => {
    const process = Hex.encode(bytes)
    let count = 0
    return ({ headers }) => {
      const named = headers["x-request-id"]
      return named !== undefined && proxyRequestId.test(named)
        ? named
        : `${process}${(++count).toString(16).padStart(8, "0")}`
    }
  })

/** Adds a request id to the logs and the trace span of an effect; `route` is added if no router sets the route. */
export const withRequestId = <A, E, R>(
  id: string,
  answer: Effect.Effect<A, E, R>,
  route?: string
): Effect.Effect<A, E, R> =>
  Effect.updateContext(answer, (context: Context.Context<R>) => {
    const span = Context.getOrUndefined(context, Tracer.ParentSpan)
    if (span?._tag === "Span") {
      span.attribute("request.id", id)
      if (route !== undefined) span.attribute("http.route", route)
    }
    const annotations = { ...Context.get(context, References.CurrentLogAnnotations), request_id: id }
    return Context.add(context, References.CurrentLogAnnotations, annotations)
  })
