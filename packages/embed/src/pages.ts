import { SiteSettings } from "@slipway/domain/forge/base"
import { Markdown } from "@slipway/domain/forge/collaboration"
import { OutsideProvider, trusts } from "@slipway/domain/forge/identity"
import { Authenticator } from "@slipway/forge/entry"
import { PasswordResets } from "@slipway/forge/identity"
import { InnerRequest } from "@slipway/http/server"
import { PublicUrl, publicUrlFor } from "@slipway/http/server/forge"
import { createPages, highlighter, type Reach, sanitizedHtml } from "@slipway/web"
import { Cause, Context, Effect, type Layer, References } from "effect"
import { Headers, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NetAddress } from "effect/net"

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest.HttpServerRequest>

/** The headers of the browser's request that the pages do not pass on to the API. */
const ofOuterRequest =
  /^(?:authorization|sudo|origin|referer|accept|accept-encoding|connection|expect|range|te|upgrade|signature|signature-input|digest|content-.*|transfer-.*|if-.*|sec-.*|x-(?:gitea|svc)-otp)$/

const nowhere = NetAddress.ipFromStringUnsafe("0.0.0.0")

const addressIn = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): NetAddress.IpAddress => {
  const text = remoteAddress._tag === "Some" ? remoteAddress.value : ""
  try {
    return NetAddress.ipFromStringUnsafe(text)
  } catch {
    return nowhere
  }
}

const isUnknown = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
}

const wantsHtml = ({ headers, method, url }: HttpServerRequest.HttpServerRequest): boolean =>
  (method === "GET" || method === "HEAD") && !url.startsWith("/api/") && (headers.accept ?? "").includes("text/html")

/** Returns the connection of the pages to the API for one request: in this process, as the user of the request. */
const reachOf = Effect.fnUntraced(function* (
  inner: () => Answer,
  request: HttpServerRequest.HttpServerRequest,
  services: Context.Context<never>
) {
  const { signIn } = Context.get(services as Context.Context<SiteSettings>, SiteSettings)
  const served = publicUrlFor(Context.get(services as Context.Context<PublicUrl>, PublicUrl), request, signIn)
  const requestId = Context.get(services, References.CurrentLogAnnotations).request_id as string | undefined
  const address = addressIn(request)
  const isProxied = signIn.proxyUser && request.headers[served.proxyUserHeader] !== undefined && trusts(signIn, address)
  const { callerOf } = Context.get(services, Authenticator)
  const known = yield* Effect.orElseSucceed(callerOf({ headers: request.headers, address }), () => "")
  const kept = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ofOuterRequest.test(name)))
  const signInWays = {
    passwordReset: yield* Effect.provideContext(PasswordResets.isOn, services as Context.Context<SiteSettings>),
    registration: Context.get(services as Context.Context<SiteSettings>, SiteSettings).switches.registration,
    external: Context.get(services, OutsideProvider)?.name
  }
  const run = Effect.runPromiseWith(Context.add(services, InnerRequest, true))
  const send: Reach["send"] = async (sent) => {
    const made = HttpServerRequest.fromWeb(sent)
    const headers = Headers.fromInput({
      ...kept,
      ...Object.fromEntries(sent.headers),
      ...(requestId === undefined ? {} : { "x-request-id": requestId })
    })
    const asked = made.modify({ headers, remoteAddress: request.remoteAddress })
    const response = await run(Effect.provideService(inner(), HttpServerRequest.HttpServerRequest, asked))
    return HttpServerResponse.toWeb(response, { context: services })
  }
  return {
    send,
    rootUrl: served.rootUrl,
    identified: known !== undefined || isProxied,
    requestId,
    signInWays
  } satisfies Reach
})

type Ask = (request: Request, reach: Reach) => Promise<Response | undefined>

/**
 * Serves the pages next to the API: first page addresses, then the router's routes, then addresses that begin with an
 * owner's name.
 *
 * For browsers, an unknown address gets an error page.
 *
 * Provide it with the API's routes, so that their handling of failures and limits also covers the pages.
 */
export const layerPages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { render } = yield* Markdown
    const highlight = yield* highlighter
    const pages = createPages({
      highlight,
      markdown: async (text, { kind, links = new Map(), ...place }) => {
        const rendered = render({ text, kind: kind ?? "file", place, links })
        return sanitizedHtml(await Effect.runPromise(rendered))
      }
    })
    let whole: Answer | undefined
    const inner = (): Answer => {
      whole ??= router.asHttpEffect() as Answer
      return whole
    }
    const answering = (ask: Ask): Answer =>
      Effect.gen(function* () {
        const services = yield* Effect.context<never>()
        const request = Context.get(
          services as Context.Context<HttpServerRequest.HttpServerRequest>,
          HttpServerRequest.HttpServerRequest
        )
        const reach = yield* reachOf(inner, request, services)
        const asked = yield* HttpServerRequest.toWeb(request)
        const here = new Request(new URL(request.url, reach.rootUrl), asked)
        const response = yield* Effect.promise(() => ask(here, reach)).pipe(
          Effect.catchDefect((error) =>
            Effect.andThen(
              Effect.logError(`page failed: ${request.method} ${request.url.split("?")[0]}`, Cause.die(error)),
              Effect.promise(() => pages.fail(here, reach, { status: 500 }))
            )
          )
        )
        return HttpServerResponse.fromWeb(
          response ?? (yield* Effect.promise(() => pages.fail(here, reach, { status: 404 })))
        )
      })
    yield* router.addGlobalMiddleware(
      ((app: Answer): Answer =>
        Effect.contextWith((services: Context.Context<HttpServerRequest.HttpServerRequest>) => {
          const request = Context.get(services, HttpServerRequest.HttpServerRequest)
          const { method, url } = request
          if (url.startsWith("/api/") || !url.startsWith("/")) return app
          const path = url.split("?", 1)[0] ?? url
          if (pages.has(method, path, false)) return answering((asked, reach) => pages.answer(asked, reach, false))
          return Effect.catchCause(app, (cause) => {
            if (!isUnknown(cause)) return Effect.failCause(cause)
            if (pages.has(method, path, true)) return answering((asked, reach) => pages.answer(asked, reach, true))
            return wantsHtml(request)
              ? answering((asked, reach) => pages.fail(asked, reach, { status: 404 }))
              : Effect.failCause(cause)
          })
        })) as never
    )
  })
) as Layer.Layer<never, never, HttpRouter.HttpRouter | Markdown | PublicUrl | SiteSettings>
