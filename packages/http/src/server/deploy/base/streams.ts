import { mostStreams, retryStreamsAfter, TooManyStreams } from "@slipway/domain/deploy/containers"
import { Context, Effect, Layer, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { limitStreams } from "../../wire/streamLimit.ts"

/** Adds the header `Retry-After` to the response if the stream limit is reached. */
const later = HttpEffect.appendPreResponseHandler((_, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(retryStreamsAfter)))
)

/** Limits the number of open streams of this process (invariant I25). */
export class OpenStreams extends Context.Service<
  OpenStreams,
  {
    /** Reserves a stream of an application or a team; it is released when the scope closes. */
    readonly enter: (
      of: "application" | "team",
      id: string
    ) => Effect.Effect<void, TooManyStreams, Scope.Scope | HttpServerRequest.HttpServerRequest>
  }
>()("@slipway/http/deploy/OpenStreams") {
  static readonly layer = Layer.sync(OpenStreams, () => {
    const limit = limitStreams(mostStreams.inAll)
    return {
      enter: (of, id) => {
        const taken = limit(`${of} ${id}`, mostStreams[of], (reached) =>
          reached === "all"
            ? new TooManyStreams({ most: mostStreams.inAll, of: "process" })
            : new TooManyStreams({ most: mostStreams[of], of })
        )
        return Effect.tapError(taken, () => later)
      }
    }
  })
}
