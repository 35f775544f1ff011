import { Context, Effect, References, Tracer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import type { HttpServerRequest } from "effect/http"

/** The form of a request id from a proxy in front. */
const given = /^[\w.:-]{8,64}$/

/** Returns a source of ids: the one that a request came with, or a new one that no other process gives. */
export const requestIds = (
  random: SecureRandom.SecureRandom["Service"]
): Effect.Effect<(request: HttpServerRequest.HttpServerRequest) => string> =>
  Effect.map(random.randomBytes(8), (bytes) => {
    const process = Hex.encode(bytes)
    let count = 0
    return ({ headers }) => {
      const named = headers["x-request-id"]
      return named !== undefined && given.test(named) ? named : `${process}${(++count).toString(16).padStart(8, "0")}`
    }
  })

/** Lets what is done for a request be known by its id, in logs and in traces; in these by its route where no router says it. */
export const identified = <A, E, R>(
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
