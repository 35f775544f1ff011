import { HttpServerResponse } from "effect/http"

/** Adds the name of a request header, on which the response depends, to `Vary`. */
export const addVary = (
  response: HttpServerResponse.HttpServerResponse,
  name: string
): HttpServerResponse.HttpServerResponse => {
  const { vary } = response.headers
  return HttpServerResponse.setHeader(response, "vary", vary === undefined ? name : `${vary}, ${name}`)
}
