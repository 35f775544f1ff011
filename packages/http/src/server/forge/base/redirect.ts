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
 * Answers 307 to where a thing is now: the address of the request, with present names in the place of old ones.
 *
 * Tokens of the query are left out: what is sent back repeats no secret.
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

/** Answers 307 with a present name in the place of an old one, wherever the path has it. */
export const redirectTo = (name: string, present: string) =>
  redirect((_, segment) => (segment === name ? present : undefined))
