import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { withBody } from "../../wire/readBody.ts"
import { isSigned } from "./guard.ts"

/** The maximum size of the body of a signed request, in bytes, for handlers that read the body as a stream. */
const largest = 8 * 1024 * 1024

/**
 * Reads the complete body of a signed request before its handler runs: a signature covers only the complete body.
 *
 * `use` gets the body, and runs with a request that allows reading the body again. For a request without a signature,
 * `use` gets undefined, and the body is not read.
 */
export const withSignedBody = <A, E, R>(use: (body: Uint8Array | undefined) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!isSigned(request)) return yield* use(undefined)
    const { headers, method, remoteAddress, url } = request
    return yield* withBody(request, largest, (body) => {
      const anew = new Request("http://localhost", { method, headers, body: body as Uint8Array<ArrayBuffer> })
      const freshRequest = HttpServerRequest.fromWeb(anew).modify({ url, headers, remoteAddress })
      return Effect.provideService(use(body), HttpServerRequest.HttpServerRequest, freshRequest)
    })
  })
