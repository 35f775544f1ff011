import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { BodyNotJson } from "../bodies.ts"
import { withBody } from "../readBody.ts"
import { texts } from "./errors.ts"

const closing = { connection: "close" }

const said = (status: number, message: string, headers: Readonly<Record<string, string>> = closing) =>
  Effect.succeed(HttpServerResponse.jsonUnsafe({ message }, { status, headers }))

/** Answers a body that could not be read; what is left of it is not read, so that the connection ends. */
const unread = {
  BodyTooLarge: () => said(413, texts.tooLarge),
  BodyTooSlow: () => said(408, "The body came too slowly."),
  BodiesFull: () => said(503, "Too much is being read at once.", { ...closing, "retry-after": "1" }),
  BodyNotJson: ({ sentence }: BodyNotJson) => said(400, sentence)
} as const

/** Reads a body within bounds and goes on with it; one that can't be read is answered here. */
export const reading = <E, R>(
  request: HttpServerRequest.HttpServerRequest,
  largest: number,
  use: (bytes: Uint8Array) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  withBody(request, largest, (bytes) => Effect.exit(use(bytes))).pipe(
    Effect.catchTags(unread),
    Effect.flatMap((answered) =>
      HttpServerResponse.isHttpServerResponse(answered) ? Effect.succeed(answered) : answered
    )
  )
