import { HttpServerResponse } from "effect/http"

/** Says that an answer depends on a header of its request. */
export const varying = (
  response: HttpServerResponse.HttpServerResponse,
  name: string
): HttpServerResponse.HttpServerResponse => {
  const { vary } = response.headers
  return HttpServerResponse.setHeader(response, "vary", vary === undefined ? name : `${vary}, ${name}`)
}
