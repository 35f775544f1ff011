import { Context, Effect, References, Tracer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { HttpServerRequest } from "effect/http"

/** The form of a request id from a proxy in front. */
const proxyRequestId = /^[\w.:-]{8,64}$/

/** Returns a source of ids: the request's own id, or a new one that no other process uses. */
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

/** Adds a request's id to its logs and traces; traces get the route if no router sets it. */
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
