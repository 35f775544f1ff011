import type { HttpBody, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { withoutBodyIfCurrent } from "./wire/tags.ts"

/** A cached response that is the same for all callers. */
interface CachedAnswer {
  response: HttpServerResponse.HttpServerResponse
  isReady: boolean
  /** Request headers, in lower case, that could change the response; a request with one of them skips the cache. */
  readonly unless: ReadonlyArray<string>
}

const answers = new WeakMap<HttpRouter.HttpRouter, Map<string, CachedAnswer>>()

const encoded = new WeakMap<HttpBody.HttpBody, Map<string, Uint8Array>>()

/** Returns the compressed forms of a cached body, by content encoding; undefined if the body is not cached. */
export const encodedFormsOf = (body: HttpBody.HttpBody): Map<string, Uint8Array> | undefined => encoded.get(body)

/** Returns the cached responses of a router, by path. */
const cachedAnswersOf = (router: HttpRouter.HttpRouter): Map<string, CachedAnswer> => {
  const cache = answers.get(router) ?? new Map<string, CachedAnswer>()
  answers.set(router, cache)
  return cache
}

/** Caches a response for a path; it must be the same for all callers and need no database read or access decision. */
export const cacheAnswer = (
  router: HttpRouter.HttpRouter,
  path: string,
  response: HttpServerResponse.HttpServerResponse,
  unless: ReadonlyArray<string> = []
): void => {
  cachedAnswersOf(router).set(path, { response, isReady: false, unless })
  encoded.set(response.body, new Map())
}

/** Returns a function that returns the cached response to a request, or undefined; `ready` prepares a response once. */
export const answeringFromCache = (
  router: HttpRouter.HttpRouter,
  ready: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
) => {
  const cachedAnswers = cachedAnswersOf(router)
  return (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse | undefined => {
    const found = request.method === "GET" ? cachedAnswers.get(request.url) : undefined
    if (found === undefined || found.unless.some((name) => request.headers[name] !== undefined)) return undefined
    if (!found.isReady) {
      found.response = ready(found.response)
      found.isReady = true
    }
    return withoutBodyIfCurrent(request, found.response)
  }
}
