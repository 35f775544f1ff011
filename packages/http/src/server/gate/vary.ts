import { HttpServerResponse } from "effect/http"

/** Adds a header to `Vary`: the answer depends on it. */
export const addVary = (
  response: HttpServerResponse.HttpServerResponse,
  name: string
): HttpServerResponse.HttpServerResponse => {
  const { vary } = response.headers
  return HttpServerResponse.setHeader(response, "vary", vary === undefined ? name : `${vary}, ${name}`)
}
