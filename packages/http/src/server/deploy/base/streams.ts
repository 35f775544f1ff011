import { mostStreams, retryStreamsAfter, TooManyStreams } from "@slipway/domain/deploy/containers"
import { Context, Effect, Layer, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"

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
    const open = new Map<string, number>()
    let all = 0
    const add = (key: string, n: number) => {
      const left = (open.get(key) ?? 0) + n
      if (left === 0) open.delete(key)
      else open.set(key, left)
      all += n
    }
    const take = (of: "application" | "team", key: string) =>
      Effect.suspend(() => {
        if (all >= mostStreams.inAll) return new TooManyStreams({ most: mostStreams.inAll, of: "process" })
        if ((open.get(key) ?? 0) >= mostStreams[of]) return new TooManyStreams({ most: mostStreams[of], of })
        return Effect.sync(() => add(key, 1))
      })
    return {
      enter: (of, id) => {
        const key = `${of} ${id}`
        const taken = Effect.acquireRelease(take(of, key), () => Effect.sync(() => add(key, -1)))
        return Effect.tapError(taken, () => later)
      }
    }
  })
}
