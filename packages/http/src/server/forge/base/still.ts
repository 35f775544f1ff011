// Answers of endpoints that say the same to all whom they are given to.

import { PolicySet } from "@slipway/domain/forge/access"
import { SiteSettings } from "@slipway/domain/forge/base"
import { Authenticator } from "@slipway/forge/entry"
import { Context, Effect } from "effect"
import { type HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { keep } from "../../kept.ts"
import { tagged } from "./conditional.ts"
import { PublicUrl } from "./PublicUrl.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** What serves a route, from its path to its answer. */
export type Served = Effect.Effect<Answer, never, HttpRouter.RouteContext>

/**
 * Returns what keeps an answer to whoever shows nothing of themselves; `undefined` where one is decided anew each time: where
 * rules of one's own may look at the time, and an authenticator at anything.
 */
export const keeping = (router: HttpRouter.HttpRouter, services: Context.Context<SiteSettings | PublicUrl>) => {
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
        if (response.status === 200) keep(router, path, response, shown)
        return response
      })
    }) as Served
}

/** Tells everybody who is let in what the first of them was told, where the path says all that is asked for. */
export const tellingAgain = <Asked extends ReadonlyArray<unknown>, E, R>(
  path: string,
  handle: (...asked: Asked) => Effect.Effect<Answer, E, R>
) => {
  let told: Answer | undefined
  return (...asked: Asked) =>
    Effect.contextWith((services: Context.Context<HttpServerRequest.HttpServerRequest>) => {
      const { url } = Context.get(services, HttpServerRequest.HttpServerRequest)
      if (url !== path) return handle(...asked)
      if (told !== undefined) return Effect.succeed(told)
      return Effect.map(handle(...asked), (response) => {
        if (response.status === 200) told = tagged(response)
        return response
      })
    })
}
