import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

const decoded = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const withoutSecrets = (query: string): string => {
  const parameters = query.split("&").filter((pair) => !/^(token|access_token)(=|$)/.test(pair))
  return parameters.length === 0 || query === "" ? "" : `?${parameters.join("&")}`
}

/**
 * Returns a 307 redirect to the current URL of a renamed resource: the request URL with old names replaced.
 *
 * Tokens in the query are left out, so that the response repeats no secret.
 */
export const redirect = Effect.fnUntraced(function* (
  present: (parameter: string, segment: string | undefined) => string | undefined
) {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const { route } = yield* HttpRouter.RouteContext
  const pattern = route.path.split("/")
  const [path = "", query = ""] = url.split("?")
  const redirectRenamed = path.split("/").map((segment, at) => {
    const part = pattern[at]
    const name = part?.startsWith(":") ? present(part.slice(1), decoded(segment)) : undefined
    return name === undefined ? segment : encodeURIComponent(name)
  })
  return HttpServerResponse.empty({
    status: 307,
    headers: { location: `${redirectRenamed.join("/")}${withoutSecrets(query)}` }
  })
})

/** Returns a 307 redirect to the request URL, with an old name replaced by the current name in the path parameters. */
export const redirectTo = (name: string, present: string) =>
  redirect((_, segment) => (segment === name ? present : undefined))
