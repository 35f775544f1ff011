// Cached answers of endpoints that answer the same to all callers.

import { PolicySet } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { Authenticator } from "@slipway/forge/entry"
import { Context, Effect } from "effect"
import { type HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { cacheAnswer } from "../../answerCache.ts"
import { withTag } from "./conditional.ts"
import { PublicUrl } from "./PublicUrl.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** The handler of a route: an effect that returns the response. */
export type Served = Effect.Effect<Answer, never, HttpRouter.RouteContext>

/**
 * Returns a function that wraps a route's handler and caches its responses to anonymous requests.
 *
 * Returns `undefined` if responses cannot be cached, because the site has custom access rules or an authenticator.
 */
export const cacheAnonymousAnswers = (
  router: HttpRouter.HttpRouter,
  services: Context.Context<SiteSettings | PublicUrl>
) => {
  const { policy } = Context.get(services, SiteSettings)
  const { proxyUserHeader } = Context.get(services, PublicUrl)
  if (policy !== PolicySet.builtIn || services.mapUnsafe.has(Authenticator.key)) return undefined
  const shown = ["authorization", "cookie", "signature", "sudo", proxyUserHeader]
  return (path: string, answer: Served): Served =>
    Effect.contextWith((own: Context.Context<HttpServerRequest.HttpServerRequest>) => {
      const request = Context.get(own, HttpServerRequest.HttpServerRequest)
      const isOpen =
        request.method === "GET" && request.url === path && !shown.some((name) => request.headers[name] !== undefined)
      if (!isOpen) return answer
      return Effect.map(answer, (response) => {
        if (response.status === 200) cacheAnswer(router, path, response, shown)
        return response
      })
    }) as Served
}

/** Caches the first response with status 200, and returns it to all authorized requests with exactly this URL. */
export const repeatFirstAnswer = <Asked extends ReadonlyArray<unknown>, E, R>(
  path: string,
  handle: (...asked: Asked) => Effect.Effect<Answer, E, R>
) => {
  let firstAnswer: Answer | undefined
  return (...asked: Asked) =>
    Effect.contextWith((services: Context.Context<HttpServerRequest.HttpServerRequest>) => {
      const { url } = Context.get(services, HttpServerRequest.HttpServerRequest)
      if (url !== path) return handle(...asked)
      if (firstAnswer !== undefined) return Effect.succeed(firstAnswer)
      return Effect.map(handle(...asked), (response) => {
        if (response.status === 200) firstAnswer = withTag(response)
        return response
      })
    })
}
