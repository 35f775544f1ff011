import { Cause, Context, Effect, type Layer, References } from "effect"
import { Headers, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { InnerRequest } from "./InnerRequest.ts"

/** The access of web pages to the API in the same process, for one page request. */
export interface PageReach {
  /** Sends a request to the API with the credentials of the page request. */
  readonly send: (request: Request) => Promise<Response>
  readonly requestId: string | undefined
}

/** The web pages of a service, as functions from requests to responses. */
export interface PageSite<R> {
  /** Returns whether a page exists for a method and path, so that `answer` returns a response. */
  readonly has: (method: string, path: string, owned: boolean) => boolean
  /** Returns the page for a request, or undefined; `owned` also includes paths that begin with an owner's name. */
  readonly answer: (request: Request, reach: R, owned: boolean) => Promise<Response | undefined>
  /** Returns the error page for a status, such as 404. */
  readonly fail: (request: Request, reach: R, failure: { readonly status: number }) => Promise<Response>
}

type Services = Context.Context<never>

/** The web pages of a service, and functions that prepare a request for them. */
export interface MountedPages<R, E, In> {
  readonly site: Effect.Effect<PageSite<R>, E, In>
  /** Returns the Effect services for the API requests of a page; by default, the services of the page request. */
  readonly servicesOf?: (request: HttpServerRequest.HttpServerRequest, services: Services) => Services
  /** Adds data of the service that pages need, such as the public URL. */
  readonly reachOf: (
    reach: PageReach,
    request: HttpServerRequest.HttpServerRequest,
    services: Services
  ) => Effect.Effect<R & { readonly rootUrl: string }>
}

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest.HttpServerRequest>

/** Matches headers of the page request that are not copied to the API requests of the page. */
const ofOuterRequest =
  /^(?:authorization|sudo|origin|referer|accept|accept-encoding|connection|expect|range|te|upgrade|signature|signature-input|digest|content-.*|transfer-.*|if-.*|sec-.*|x-(?:gitea|svc)-otp)$/

const isUnknown = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
}

const wantsHtml = ({ headers, method, url }: HttpServerRequest.HttpServerRequest): boolean =>
  (method === "GET" || method === "HEAD") && !url.startsWith("/api/") && (headers.accept ?? "").includes("text/html")

/** Makes the access of web pages to the API in this process, for one page request. */
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
 * Layer that serves web pages together with the API.
 *
 * A request is matched with fixed page paths first, then with the router's routes, then with page paths that begin with
 * an owner's name. Browsers get an error page for an unknown path. Provide the layer together with the API's routes, so
 * that error handling and limits also apply to the pages.
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
