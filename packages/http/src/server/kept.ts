import type { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

/** An answer that is the same for all who ask for it in the same way. */
interface Kept {
  response: HttpServerResponse.HttpServerResponse
  isReady: boolean
  /** The headers by which somebody might be told another thing, in small letters. */
  readonly unless: ReadonlyArray<string>
}

const answers = new WeakMap<HttpRouter.HttpRouter, Map<string, Kept>>()

/** Returns the answers that are kept for the routes of a router, by their addresses. */
const keptBy = (router: HttpRouter.HttpRouter): Map<string, Kept> => {
  const kept = answers.get(router) ?? new Map<string, Kept>()
  answers.set(router, kept)
  return kept
}

/** Keeps an answer, which nothing is looked up or decided for again. */
export const keep = (
  router: HttpRouter.HttpRouter,
  path: string,
  response: HttpServerResponse.HttpServerResponse,
  unless: ReadonlyArray<string> = []
): void => {
  keptBy(router).set(path, { response, isReady: false, unless })
}

/** Returns what finds the kept answer to a request, where there is one; each is made ready once. */
export const finding = (
  router: HttpRouter.HttpRouter,
  ready: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse
) => {
  const kept = keptBy(router)
  return ({
    headers,
    method,
    url
  }: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse | undefined => {
    const found = method === "GET" ? kept.get(url) : undefined
    if (found === undefined || found.unless.some((name) => headers[name] !== undefined)) return undefined
    if (!found.isReady) {
      found.response = ready(found.response)
      found.isReady = true
    }
    return found.response
  }
}
