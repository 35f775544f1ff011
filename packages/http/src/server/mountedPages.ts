import { Cause, Context, Effect, type Layer, References } from "effect"
import { Headers, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { InnerRequest } from "./InnerRequest.ts"

/** The connection of pages to the API of the same process, for one request. */
export interface PageReach {
  /** Sends a request to the API as the sender of the page's request. */
  readonly send: (request: Request) => Promise<Response>
  readonly requestId: string | undefined
}

/** Pages, as functions from requests to responses. */
export interface PageSite<R> {
  /** Returns whether a page has a method and a path, so that `answer` returns a response. */
  readonly has: (method: string, path: string, owned: boolean) => boolean
  /** Answers a request if its address is a page's; `owned` also checks addresses that begin with an owner's name. */
  readonly answer: (request: Request, reach: R, owned: boolean) => Promise<Response | undefined>
  /** Answers with the page of a failure, such as an unknown address. */
  readonly fail: (request: Request, reach: R, failure: { readonly status: number }) => Promise<Response>
}

type Services = Context.Context<never>

/** The pages of a service, and the facts of a request that they need. */
export interface MountedPages<R, E, In> {
  readonly site: Effect.Effect<PageSite<R>, E, In>
  /** Returns the services of the requests that a page sends; those of the page's request by default. */
  readonly servicesOf?: (request: HttpServerRequest.HttpServerRequest, services: Services) => Services
  /** Adds the facts of the service, such as the address of the site as the browser knows it. */
  readonly reachOf: (
    reach: PageReach,
    request: HttpServerRequest.HttpServerRequest,
    services: Services
  ) => Effect.Effect<R & { readonly rootUrl: string }>
}

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest.HttpServerRequest>

/** Headers that belong only to the browser's own request. */
const ofOuterRequest =
  /^(?:authorization|sudo|origin|referer|accept|accept-encoding|connection|expect|range|te|upgrade|signature|signature-input|digest|content-.*|transfer-.*|if-.*|sec-.*|x-(?:gitea|svc)-otp)$/

const isUnknown = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
}

const wantsHtml = ({ headers, method, url }: HttpServerRequest.HttpServerRequest): boolean =>
  (method === "GET" || method === "HEAD") && !url.startsWith("/api/") && (headers.accept ?? "").includes("text/html")

/** Returns the connection of the pages to the API in this process, for one request. */
const reachIn = (
  inner: () => Answer,
  request: HttpServerRequest.HttpServerRequest,
  services: Services,
  inside: Services
): PageReach => {
  const requestId = Context.get(services, References.CurrentLogAnnotations).request_id as string | undefined
  const sent = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ofOuterRequest.test(name)))
  const run = Effect.runPromiseWith(Context.add(inside, InnerRequest, true))
  return {
    requestId,
    send: async (asked) => {
      const headers = Headers.fromInput({
        ...sent,
        ...Object.fromEntries(asked.headers),
        ...(requestId === undefined ? {} : { "x-request-id": requestId })
      })
      const innerRequest = HttpServerRequest.fromWeb(asked).modify({ headers, remoteAddress: request.remoteAddress })
      const response = await run(Effect.provideService(inner(), HttpServerRequest.HttpServerRequest, innerRequest))
      return HttpServerResponse.toWeb(response, { context: services })
    }
  }
}

/**
 * Serves pages next to the API: first page addresses, then the router's routes, then addresses that begin with an owner's
 * name.
 *
 * For browsers, an unknown address gets an error page. Provide the layer with the API's routes, so that their handling of
 * failures and limits also covers the pages.
 */
export const layerMountedPages = <R, E, In>({
  reachOf,
  servicesOf = (_, services) => services,
  site
}: MountedPages<R, E, In>): Layer.Layer<never, E, In | HttpRouter.HttpRouter> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const pages = yield* site
      let whole: Answer | undefined
      const inner = (): Answer => {
        whole ??= router.asHttpEffect() as Answer
        return whole
      }
      const answering = (ask: (request: Request, reach: R) => Promise<Response | undefined>): Answer =>
        Effect.gen(function* () {
          const services = yield* Effect.context<never>()
          const request = Context.get(
            services as Context.Context<HttpServerRequest.HttpServerRequest>,
            HttpServerRequest.HttpServerRequest
          )
          const reach = yield* reachOf(
            reachIn(inner, request, services, servicesOf(request, services)),
            request,
            services
          )
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
  ) as Layer.Layer<never, E, In | HttpRouter.HttpRouter>
