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
  const kept = query.split("&").filter((pair) => !/^(token|access_token)(=|$)/.test(pair))
  return kept.length === 0 || query === "" ? "" : `?${kept.join("&")}`
}

/**
 * Answers 307 to where a thing is now: the address of the request, with the present name in the place of the old one.
 *
 * Tokens of the query are left out: what is sent back repeats no secret.
 */
export const redirectTo = Effect.fnUntraced(function* (name: string, present: string) {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const { route } = yield* HttpRouter.RouteContext
  const pattern = route.path.split("/")
  const [path = "", query = ""] = url.split("?")
  const moved = path
    .split("/")
    .map((segment, at) =>
      pattern[at]?.startsWith(":") && decoded(segment) === name ? encodeURIComponent(present) : segment
    )
  return HttpServerResponse.empty({ status: 307, headers: { location: `${moved.join("/")}${withoutSecrets(query)}` } })
})
