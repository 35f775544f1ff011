import type { HttpBody, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { withoutBodyIfCurrent } from "./wire/tags.ts"

/** A cached answer, the same for all callers who request it in the same way. */
interface CachedAnswer {
  response: HttpServerResponse.HttpServerResponse
  isReady: boolean
  /** The headers that could change the answer, in lower case. */
  readonly unless: ReadonlyArray<string>
}

const answers = new WeakMap<HttpRouter.HttpRouter, Map<string, CachedAnswer>>()

const encoded = new WeakMap<HttpBody.HttpBody, Map<string, Uint8Array>>()

/** Returns the encoded forms of the body of a cached answer, by encoding; `undefined` for other bodies. */
export const encodedFormsOf = (body: HttpBody.HttpBody): Map<string, Uint8Array> | undefined => encoded.get(body)

/** Returns the cached answers for the routes of a router, by their addresses. */
const cachedAnswersOf = (router: HttpRouter.HttpRouter): Map<string, CachedAnswer> => {
  const cache = answers.get(router) ?? new Map<string, CachedAnswer>()
  answers.set(router, cache)
  return cache
}

/** Caches an answer that is the same for all callers, needs no lookup or decision, and is compressed once. */
export const cacheAnswer = (
  router: HttpRouter.HttpRouter,
  path: string,
  response: HttpServerResponse.HttpServerResponse,
  unless: ReadonlyArray<string> = []
): void => {
  cachedAnswersOf(router).set(path, { response, isReady: false, unless })
  encoded.set(response.body, new Map())
}

/** Returns a function that finds the cached answer to a request, if there is one; each is prepared once. */
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
