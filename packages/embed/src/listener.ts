import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"
import type { Handler } from "./handler.ts"

/**
 * Returns the name of the user that the host program has authenticated; `undefined` if the forge must check the
 * request's own credentials.
 */
export type UserOf = (request: IncomingMessage) => string | undefined | Promise<string | undefined>

const requestOf = (request: IncomingMessage, response: ServerResponse, origin: string): Request => {
  const { headersDistinct, method = "GET", url = "/" } = request
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const gone = new AbortController()
  response.once("close", () => gone.abort())
  const hasBody = method !== "GET" && method !== "HEAD"
  return new Request(new URL(url.replace(/^\/+/, "/"), origin), {
    method,
    headers,
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(request), duplex: "half" } : {})
  } as RequestInit)
}

const send = async (answer: Response, response: ServerResponse): Promise<void> => {
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value)
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader("set-cookie", cookies)
  if (answer.body === null) response.end()
  else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response)
}

/** Converts a request handler to a request listener for an HTTP server of Node.js. */
export const listenerOf =
  (handler: Handler, origin: string) =>
  (userOf: UserOf = () => undefined) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const answered = async () => {
      const user = await userOf(request)
      return handler(requestOf(request, response, origin), { address: request.socket.remoteAddress, user })
    }
    // Node can accept an invalid request: the host program must not exit because of it.
    const answer = answered().catch(() => new Response(null, { status: 400 }))
    // A client that disconnects early needs no answer.
    answer.then((sent) => send(sent, response)).catch(() => response.destroy())
  }
