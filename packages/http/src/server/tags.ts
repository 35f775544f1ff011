import { type HttpServerRequest, HttpServerResponse } from "effect/http"

/**
 * Tells whether a header `If-None-Match` or `If-Range` names a tag; weak ones are as good here.
 *
 * @example
 * names(`W/"a", "b"`, `"b"`) // => true
 * names("*", `"b"`) // => true
 * names(`"a"`, `"b"`) // => false
 */
export const names = (header: string | undefined, tag: string): boolean =>
  header
    ?.split(",")
    .map((each) => each.trim().replace(/^W\//, ""))
    .some((each) => each === "*" || each === tag.replace(/^W\//, "")) === true

/** Returns what a client keeps a file by, byte for byte. */
export const tagOf = (...parts: ReadonlyArray<string>): string => `"${parts.join("-")}"`

/** Returns what a client keeps an answer by whose bytes may be others, such as compressed ones. */
export const weakTagOf = (...parts: ReadonlyArray<string>): string => `W/${tagOf(...parts)}`

/** Takes the body of an answer away where the client has it already, by its tag. */
export const unlessHeld = (
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { etag } = response.headers
  if (etag === undefined || !names(headers["if-none-match"], etag)) return response
  const { "content-length": _, "content-type": __, ...kept } = response.headers
  return HttpServerResponse.empty({ status: 304, headers: kept })
}
