import { SiteSettings } from "@slipway/domain/forge/base"
import { Markdown } from "@slipway/domain/forge/collaboration"
import { FactsStore } from "@slipway/domain/forge/entry"
import { OutsideProvider, trusts } from "@slipway/domain/forge/identity"
import { Authenticator } from "@slipway/forge/entry"
import { PasswordResets } from "@slipway/forge/identity"
import { layerMountedPages } from "@slipway/http/server"
import { PublicUrl, publicUrlFor } from "@slipway/http/server/forge"
import { createPages, highlighter, sanitizedHtml } from "@slipway/web"
import { Context, Effect, type Layer } from "effect"
import type { HttpRouter, HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { factsOfPage, pageSubject } from "./pageFacts.ts"
import { storesOfPage } from "./pageStores.ts"

const nowhere = NetAddress.ipFromStringUnsafe("0.0.0.0")

const addressIn = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): NetAddress.IpAddress => {
  const text = remoteAddress._tag === "Some" ? remoteAddress.value : ""
  try {
    return NetAddress.ipFromStringUnsafe(text)
  } catch {
    return nowhere
  }
}

/** Returns the services of the requests of a page: those of a page that changes nothing share what they load. */
const servicesOf = (request: HttpServerRequest.HttpServerRequest, services: Context.Context<never>) => {
  if (request.method !== "GET" && request.method !== "HEAD") return services
  const store = Context.get(services as Context.Context<FactsStore>, FactsStore)
  const [path = ""] = request.url.split("?", 1)
  return Context.add(storesOfPage(services), FactsStore, factsOfPage(store, pageSubject(path)))
}

/**
 * Returns what pages need to know about a request: public URLs, whether the host program identified the user, and the
 * ways to sign in.
 */
const factsOf = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  services: Context.Context<never>
) {
  const { deployUrl, signIn, switches } = Context.get(services as Context.Context<SiteSettings>, SiteSettings)
  const served = publicUrlFor(Context.get(services as Context.Context<PublicUrl>, PublicUrl), request, signIn)
  const address = addressIn(request)
  const isProxied = signIn.proxyUser && request.headers[served.proxyUserHeader] !== undefined && trusts(signIn, address)
  const { callerOf } = Context.get(services, Authenticator)
  const known = yield* Effect.orElseSucceed(callerOf({ headers: request.headers, address }), () => "")
  return {
    rootUrl: served.rootUrl,
    deployUrl,
    codeSearch: switches.codeSearch,
    identified: known !== undefined || isProxied,
    signInWays: {
      passwordReset: yield* Effect.provideContext(PasswordResets.isOn, services as Context.Context<SiteSettings>),
      registration: switches.registration,
      external: Context.get(services, OutsideProvider)?.name
    }
  }
})

/** Serves the web interface of the forge in addition to its API. */
export const layerPages = layerMountedPages({
  site: Effect.gen(function* () {
    const { render } = yield* Markdown
    return createPages({
      highlight: yield* highlighter,
      markdown: async (text, { kind, links = new Map(), ...place }) => {
        const rendered = render({ text, kind: kind ?? "file", place, links })
        return sanitizedHtml(await Effect.runPromise(rendered))
      }
    })
  }),
  servicesOf,
  reachOf: (reach, request, services) => Effect.map(factsOf(request, services), (facts) => ({ ...reach, ...facts }))
}) as Layer.Layer<never, never, HttpRouter.HttpRouter | Markdown | PublicUrl | SiteSettings>
