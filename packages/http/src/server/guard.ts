import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { smallBody } from "../api/bodySizes.ts"
import { declaredLength, withBody } from "./wire/readBody.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** The functions and limits by which `guardRoute` authorizes and handles a request. */
export interface Guarding<Proof, A, E, R, E2, R2> {
  readonly takesBody: boolean
  /** The maximum size of a body, in bytes. */
  readonly largest: number
  /**
   * Authorizes the request: returns the proof, or a response. `before` is the proof of the first authorization, if the
   * request was authorized before its body was read.
   */
  readonly admit: (before: Proof | undefined, body: Uint8Array | undefined) => Effect.Effect<Proof | Answer, E, R>
  /** Runs the handler with a proof, and with the body if there is one. */
  readonly handle: (proof: Proof, body: Uint8Array | undefined) => Effect.Effect<A, E2, R2>
}

/**
 * Authorizes the action of a request after the body is read, and for a large body also before.
 *
 * The service therefore reads no large bodies of unauthorized callers, and decides by the permissions at the time when
 * the body is complete.
 */
export const guardRoute = <Proof, A, E, R, E2, R2>({
  admit,
  handle,
  largest,
  takesBody
}: Guarding<Proof, A, E, R, E2, R2>) => {
  const go = (admitting: Effect.Effect<Proof | Answer, E, R>, body: Uint8Array | undefined) =>
    Effect.flatMap(
      admitting,
      (proof): Effect.Effect<A | Answer, E2, R2> =>
        HttpServerResponse.isHttpServerResponse(proof) ? Effect.succeed(proof) : handle(proof, body)
    )
  // Without a body no data here belongs to a single request: one effect serves all.
  if (!takesBody) return go(admit(undefined, undefined), undefined)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const read = (early: Proof | undefined) => withBody(request, largest, (body) => go(admit(early, body), body))
    if ((declaredLength(request) ?? largest) <= smallBody) return read(undefined)
    return Effect.flatMap(admit(undefined, undefined), (early) =>
      HttpServerResponse.isHttpServerResponse(early) ? Effect.succeed(early) : read(early)
    )
  })
}

/** An endpoint of an API, with its middleware. */
export interface GuardedEndpoint {
  readonly endpoint: HttpApiEndpoint.Top
  /** The names of the endpoint's group and of the endpoint, for error messages. */
  readonly name: string
  /** The keys of the endpoint's middleware. */
  readonly middleware: ReadonlyArray<string>
}

/** Runs a check for each endpoint of an API at startup, to find endpoints without a guard (invariant I1). */
export const everyEndpoint = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  look: (endpoint: GuardedEndpoint) => void
): void =>
  HttpApi.reflect(api, {
    onGroup() {},
    onEndpoint({ endpoint, group, middleware }) {
      const name = `${group.identifier}.${endpoint.identifier}`
      look({ endpoint: endpoint as never, name, middleware: [...middleware].map(({ key }) => key) })
    }
  })
