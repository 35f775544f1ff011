import { Effect, type Exit } from "effect"
import { HttpServerResponse } from "effect/http"
import type { BodiesFull, BodyNotJson, BodyTooLarge, BodyTooSlow } from "../../wire/bodies.ts"
import { failureMessages } from "./errors.ts"

const closing = { connection: "close" }

const errorAnswer = (status: number, message: string, headers: Readonly<Record<string, string>> = closing) =>
  Effect.succeed(HttpServerResponse.jsonUnsafe({ message }, { status, headers }))

/** The error responses for request bodies that cannot be read; the connection is closed afterwards. */
const unread = {
  BodyTooLarge: () => errorAnswer(413, failureMessages.tooLarge),
  BodyTooSlow: () => errorAnswer(408, "The body arrived too slowly."),
  BodiesFull: () =>
    errorAnswer(503, "Too many bodies are being read concurrently.", { ...closing, "retry-after": "1" }),
  BodyNotJson: ({ sentence }: BodyNotJson) => errorAnswer(400, sentence)
} as const

type Response = HttpServerResponse.HttpServerResponse
type Unread = BodiesFull | BodyNotJson | BodyTooLarge | BodyTooSlow

/** Returns the result of a handler, or the error response if the handler could not read the request body. */
export const answerUnread = <E, E2, R>(
  reading: Effect.Effect<Response | Exit.Exit<Response, E>, E2, R>
): Effect.Effect<Response, E | Exclude<E2, Unread>, R> =>
  // BOUNDARY: `catchTags` can't tell the tags of unknown errors; it passes on those that it doesn't name.
  Effect.catchTags(reading as Effect.Effect<Response | Exit.Exit<Response, E>, Unread, R>, unread).pipe(
    Effect.flatMap((ended) => (HttpServerResponse.isHttpServerResponse(ended) ? Effect.succeed(ended) : ended))
  ) as Effect.Effect<Response, E | Exclude<E2, Unread>, R>
