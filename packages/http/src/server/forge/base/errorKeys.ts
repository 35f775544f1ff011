import { HttpServerResponse } from "effect/http"

/**
 * Adds keys that some clients expect to the JSON body of an error response; `keys` makes them from the message.
 *
 * Returns other responses unchanged.
 */
export const withErrorKeys = (
  response: HttpServerResponse.HttpServerResponse,
  keys: (message: string) => Readonly<Record<string, unknown>>
): HttpServerResponse.HttpServerResponse => {
  const { body, headers, status } = response
  if (status < 400 || body._tag !== "Uint8Array" || !body.contentType?.startsWith("application/json")) return response
  const parsed = JSON.parse(new TextDecoder().decode(body.body)) as { readonly message?: string }
  const { "content-length": _, "content-type": __, ...otherHeaders } = headers
  return HttpServerResponse.jsonUnsafe({ ...keys(parsed.message ?? ""), ...parsed }, { status, headers: otherHeaders })
}
