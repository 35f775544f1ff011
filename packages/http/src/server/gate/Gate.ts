import type { RequestCounts } from "@slipway/domain"
import { Clock, Context, Effect, type Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { compress } from "./compression.ts"
import { type AllowedOrigins, sharedWith } from "./crossOrigin.ts"
import { countRequests, type RateLimitSettings } from "./RateLimits.ts"
import { batchedCountExchange } from "./sharedCounts.ts"

export type { AllowedOrigins } from "./crossOrigin.ts"

/** The settings of the gate: rate limits, CORS and compression, which apply to all requests of a service. */
export interface GateSettings {
  readonly rateLimits: RateLimitSettings | undefined
  readonly origins: AllowedOrigins | undefined
  readonly compresses: boolean
  /** The key for hashing callers in the shared request counts; without it, each process counts separately. */
  readonly secret?: Redacted.Redacted<Uint8Array>
}

/** The gate settings of a service; undefined if it has no gate. */
export const Gate = Context.Reference<GateSettings | undefined>("@slipway/http/Gate", {
  defaultValue: () => undefined
})

type Answer<E> = Effect.Effect<HttpServerResponse.HttpServerResponse, E>
type Request = HttpServerRequest.HttpServerRequest

/** Matches the health check paths, which are exempt from rate limits. */
const watched = /^\/(?:healthz|readyz)(?:\?|$)/

const tooMany = "too many requests: try again later"

type Refuse = (status: number, message: string) => HttpServerResponse.HttpServerResponse

/**
 * Returns a function that applies the gate to a request and its handler; `refuse` builds the response to a rejection.
 */
export const gateOf = (
  { compresses, origins, rateLimits, secret }: GateSettings,
  counts: Context.Service.Shape<typeof RequestCounts>
) => {
  const exchange = counts === undefined || secret === undefined ? undefined : batchedCountExchange(counts.add, secret)
  const count = rateLimits === undefined ? undefined : countRequests(rateLimits, exchange)
  const sharing = origins === undefined ? undefined : sharedWith(origins)

  const counted = <E>(request: Request, answer: Answer<E>, refuse: Refuse): Answer<E> =>
    count === undefined || watched.test(request.url)
      ? answer
      : Effect.gen(function* () {
          const clock = yield* Clock.Clock
          let counted = count(request, clock.currentTimeMillisUnsafe())
          while (counted.report !== undefined) {
            yield* counted.report
            counted = count(request, clock.currentTimeMillisUnsafe())
          }
          const { headers, retryAfter } = counted
          const response =
            retryAfter === undefined
              ? yield* answer
              : HttpServerResponse.setHeader(refuse(429, tooMany), "retry-after", String(retryAfter))
          return HttpServerResponse.setHeaders(response, headers(response.status, clock.currentTimeMillisUnsafe()))
        })

  const shared = <E>(request: Request, answer: Answer<E>): Answer<E> => {
    if (sharing === undefined) return answer
    const ready = sharing.preflight(request)
    return Effect.map(ready === undefined ? answer : Effect.succeed(ready), (response) =>
      sharing.share(request, response)
    )
  }

  return <E>(request: Request, answer: Answer<E>, refuse: Refuse): Answer<E> => {
    const plain = shared(request, counted(request, answer, refuse))
    return compresses ? Effect.flatMap(plain, (response) => compress(request, response)) : plain
  }
}
