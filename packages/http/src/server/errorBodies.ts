import { Missing, RequestCounts, StoreUnavailable } from "@slipway/domain"
import { Cause, Context, Effect, type Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  FindMyWay,
  Headers,
  type HttpMethod,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { answeringFromCache } from "./answerCache.ts"
import { isForged, isScripted, type SiteOrigin } from "./crossSite.ts"
import { Gate, gateOf } from "./gate/Gate.ts"
import { InnerRequest } from "./InnerRequest.ts"
import { requestIds, withRequestId } from "./requestId.ts"
import { routable } from "./routable.ts"
import { failWhileUnavailable, StoreCheck, type StoreChecking } from "./storeCheck.ts"

/**
 * The router's settings for paths; also used for the table of allowed methods, which must match paths in the same way.
 */
export const routerConfig = { caseSensitive: true, maxParamLength: 4096 } as const

/** The messages of error responses that do not come from an endpoint. */
export interface ErrorMessages {
  readonly notFound: string
  readonly methodNotAllowed: string
  readonly badRequest: string
  readonly tooLarge: string
  readonly internal: string
  readonly unavailable: string
}

/** The service-specific options of `errorBodies`. */
export interface ErrorBodiesOptions {
  /** The paths of the service outside of its API. */
  readonly pages?: ReadonlyArray<`/${string}`>
  /** The paths that use no browser credentials, so that pages of other sites may call them (no CSRF check). */
  readonly open?: ReadonlyArray<string>
  /** The `WWW-Authenticate` challenge of a 401; scripts in browsers get `Bearer`, to avoid a password prompt. */
  readonly challenge?: string
  /** The public URL of the service, for the detection of cross-site request forgery. */
  readonly site?: SiteOrigin
  /** Converts a response to 304 if the client has the current version in its cache. */
  readonly conditional?: (
    request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method">,
    response: HttpServerResponse.HttpServerResponse
  ) => HttpServerResponse.HttpServerResponse
  /** Returns the headers to add to every response of the service. */
  readonly headers?: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => Readonly<Record<string, string>>
}

/** The delays, in milliseconds, before each retry of a read-only request after its database connection was lost. */
const again = [50, 150]

/** The health check paths; their 503 is an expected response and is not logged as a failure. */
const probes: ReadonlyArray<string> = ["/", "/readyz"]

/**
 * The minimum time, in milliseconds, between two log lines with the same reason, so that requests cannot flood the log.
 */
const quietFor = 1_000

/**
 * Makes a logger of the reasons for 503 responses.
 *
 * Requests that fail for the same reason within a second are logged as one line; metrics count each of them.
 */
const explaining = () => {
  const said = new Map<string, { readonly at: number; more: number }>()
  return ({ method, url }: HttpServerRequest.HttpServerRequest, reason: string, message: string) =>
    Effect.clockWith((clock) => {
      const at = clock.currentTimeMillisUnsafe()
      const last = said.get(reason)
      const annotated = Effect.annotateCurrentSpan("slipway.unavailable", reason)
      if (last !== undefined && at - last.at < quietFor) {
        last.more++
        return annotated
      }
      said.set(reason, { at, more: 0 })
      const more = last === undefined || last.more === 0 ? "" : ` (and ${last.more} more since the last line like this)`
      const line = Effect.logWarning(`${method} ${url.split("?")[0]}: ${message}${more}`)
      return Effect.andThen(annotated, Effect.annotateLogs(line, "unavailable", reason))
    })
}

/** The `Retry-After` value, in seconds, of a 503 response when the database is unavailable. */
const retryAfter = "2"

const unavailability = (cause: Cause.Cause<unknown>): StoreUnavailable | undefined => {
  for (const reason of cause.reasons) {
    if (Cause.isDieReason(reason) && reason.defect instanceof StoreUnavailable) return reason.defect
  }
  return undefined
}

/** Returns whether a use case failed because a resource was deleted concurrently (an unexpected `Missing`). */
const isGone = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof Missing)

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/**
 * Adds a JSON body to every error response without one: unknown path, wrong method, too large body, exception.
 *
 * - A 401 response contains a challenge (RFC 9110, 11.6.1).
 * - A database that fails or does not respond gives 503 within two seconds.
 * - A resource that is deleted while a request refers to it gives 404.
 * - Any other unexpected exception is logged with an id; the response contains only this id.
 */
export const errorBodies = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  texts: ErrorMessages,
  shape: (message: string, request: HttpServerRequest.HttpServerRequest) => Record<string, unknown>,
  {
    challenge = "Bearer",
    conditional = (_, response) => response,
    headers = () => ({}),
    open = [],
    pages = [],
    site = {}
  }: ErrorBodiesOptions = {}
): Layer.Layer<never, never, HttpRouter.HttpRouter | SecureRandom.SecureRandom> => {
  const known = FindMyWay.make<true>(routerConfig)
  for (const page of pages) known.on("GET", page, true)
  HttpApi.reflect(api, {
    onGroup() {},
    onEndpoint({ endpoint }) {
      known.on(endpoint.method as HttpMethod.HttpMethod, endpoint.path as `/${string}`, true)
    }
  })
  const json = (
    request: HttpServerRequest.HttpServerRequest,
    status: number,
    message: string,
    headers: Record<string, string> = {}
  ) => HttpServerResponse.jsonUnsafe(shape(message, request), { status, headers })
  const missing = (request: HttpServerRequest.HttpServerRequest) => {
    const allowed = methods.filter((method) => known.find(method, request.url) !== undefined)
    if (allowed.length === 0) return json(request, 404, texts.notFound)
    const allow = (allowed.includes("GET") ? ["GET", "HEAD", ...allowed.slice(1)] : allowed).join(", ")
    return json(request, 405, texts.methodNotAllowed, { allow })
  }
  const named: Readonly<Record<number, string>> = {
    400: texts.badRequest,
    413: texts.tooLarge
  }
  const fill = (request: HttpServerRequest.HttpServerRequest, response: HttpServerResponse.HttpServerResponse) => {
    if (response.status === 401 && response.headers["www-authenticate"] === undefined) {
      return HttpServerResponse.setHeader(response, "www-authenticate", isScripted(request) ? "Bearer" : challenge)
    }
    return response.status >= 400 && response.body._tag === "Empty"
      ? json(request, response.status, named[response.status] ?? texts.internal)
      : response
  }
  const make = (
    idOf: Effect.Success<ReturnType<typeof requestIds>>,
    check: StoreChecking,
    pass: ReturnType<typeof gateOf> | undefined,
    find: ReturnType<typeof answeringFromCache>
  ) => {
    const explained = explaining()
    const failed = Effect.fnUntraced(function* (
      id: string,
      request: HttpServerRequest.HttpServerRequest,
      cause: Cause.Cause<unknown>
    ) {
      const error = Cause.squash(cause)
      if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") return missing(request)
      const unavailable = unavailability(cause)
      if (unavailable !== undefined) {
        yield* explained(request, unavailable.reason, unavailable.message)
        return json(request, 503, texts.unavailable, { "retry-after": retryAfter })
      }
      if (isGone(cause)) {
        // A broken reference in our own code would look the same.
        yield* Effect.logDebug(`request ${id} referred to a resource that was deleted in the meantime`, cause)
        return json(request, 404, texts.notFound)
      }
      const [response] = yield* HttpServerError.causeResponse(cause)
      if (response.status !== 500) return fill(request, response)
      yield* Effect.logError(`request ${id} failed: ${request.method} ${request.url.split("?")[0]}`, cause)
      return HttpServerResponse.jsonUnsafe({ ...shape(texts.internal, request), request_id: id }, { status: 500 })
    })
    const isLost = ({ method }: HttpServerRequest.HttpServerRequest, cause: Cause.Cause<unknown>) =>
      (method === "GET" || method === "HEAD") && unavailability(cause)?.reason === "lost"
    /** Logs the limit of this process that caused a handler's 503. */
    const limited = (
      request: HttpServerRequest.HttpServerRequest,
      response: HttpServerResponse.HttpServerResponse
    ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
      if (response.status !== 503 || probes.includes(request.url)) return Effect.succeed(response)
      const { body } = response
      const said =
        body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "a limit of this process was reached"
      return Effect.as(explained(request, "limit", said), response)
    }
    const whileStored = failWhileUnavailable(check)
    return (app: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>) =>
      Effect.contextWith((services: Context.Context<HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(services, HttpServerRequest.HttpServerRequest)
        const id = idOf(request)
        const finish = (response: HttpServerResponse.HttpServerResponse) =>
          HttpServerResponse.setHeaders(conditional(request, response), {
            ...headers(request, response),
            "x-request-id": id
          })
        const refuse = (status: number, message: string) => finish(json(request, status, message))
        const isInner = Context.get(services as Context.Context<never>, InnerRequest)
        const passed = (answered: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>, route?: string) =>
          withRequestId(id, pass === undefined || isInner ? answered : pass(request, answered, refuse), route)
        const isElsewhere = !open.includes(request.url.split("?")[0] ?? "") && isForged(request, site)
        if (isElsewhere) {
          const refusal = refuse(403, "cross-site request: send a token in the header Authorization")
          return passed(Effect.succeed(refusal))
        }
        const cachedResponse = find(request)
        if (cachedResponse !== undefined) return passed(Effect.succeed(finish(cachedResponse)), request.url)
        const url = routable(request.url)
        const routed =
          url === request.url
            ? app
            : Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
        const answered = (times: number): Effect.Effect<HttpServerResponse.HttpServerResponse, unknown> =>
          Effect.matchCauseEffect(whileStored(routed), {
            onSuccess: (response) => Effect.mapEager(limited(request, fill(request, response)), finish),
            onFailure: (cause) => {
              if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
              const pause = isLost(request, cause) ? again[times] : undefined
              return pause === undefined
                ? Effect.map(failed(id, request, cause), finish)
                : Effect.andThen(Effect.sleep(pause), answered(times + 1))
            }
          })
        return passed(answered(0))
      })
  }
  return HttpRouter.middleware(
    Effect.gen(function* () {
      const ids = yield* requestIds(yield* SecureRandom.SecureRandom)
      const find = answeringFromCache(yield* HttpRouter.HttpRouter, (cached) =>
        conditional({ headers: Headers.empty, method: "GET" }, cached)
      )
      const gate = yield* Gate
      const pass = gate === undefined ? undefined : gateOf(gate, yield* RequestCounts)
      return make(ids, yield* StoreCheck, pass, find)
    }) as never,
    {
      global: true
    }
  ) as Layer.Layer<never, never, HttpRouter.HttpRouter | SecureRandom.SecureRandom>
}
