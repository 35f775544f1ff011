import { Data, Effect, Predicate } from "effect"
import { Headers, type HttpServerRequest } from "effect/http"
import { excessOf } from "./jsonText.ts"

/** The error for a request body that is larger than the limit. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge") {}
/** The error for a request body that cannot be read or is not valid JSON; `sentence` is the message. */
export class BodyNotJson extends Data.TaggedError("BodyNotJson")<{ readonly sentence: string }> {}

/** The error for a request body that arrived too slowly. */
export class BodyTooSlow extends Data.TaggedError("BodyTooSlow")<{ readonly milliseconds: number }> {}
/** The error when the memory for reading request bodies is used up. */
export class BodiesFull extends Data.TaggedError("BodiesFull") {}

const notJson = (sentence: string) => new BodyNotJson({ sentence })
const decoder = new TextDecoder("utf-8", { fatal: true })

/** Reads the body of a request as bytes. */
export const readBytes = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<Uint8Array, BodyTooLarge | BodyNotJson> =>
  Effect.mapBoth(request.arrayBuffer, {
    onSuccess: (buffer) => new Uint8Array(buffer),
    onFailure: (error) =>
      Predicate.hasProperty(error.reason, "reason") && error.reason.reason === "BodyTooLarge"
        ? new BodyTooLarge()
        : notJson("The body could not be read.")
  })

/** Decodes UTF-8 text. */
export const textOf = (bytes: Uint8Array): Effect.Effect<string, BodyNotJson> =>
  Effect.try({ try: () => decoder.decode(bytes), catch: () => notJson("The body is not valid UTF-8.") })

/** Reads the body of a request as UTF-8 text, without a byte order mark; invalid UTF-8 is rejected, not replaced. */
export const readText = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<string, BodyTooLarge | BodyNotJson> => Effect.flatMap(readBytes(request), textOf)

/** Fails if a JSON text exceeds the limits of nesting depth or number of values. */
export const requireBounded = (text: string): Effect.Effect<void, BodyNotJson> => {
  const excess = excessOf(text)
  return excess === undefined
    ? Effect.void
    : Effect.fail(notJson(`The body ${excess.charAt(0).toLowerCase()}${excess.slice(1)}`))
}

/** Checks the limits of a JSON text, and parses it; of repeated fields, the last value is used. */
export const parseJson = (text: string): Effect.Effect<unknown, BodyNotJson> =>
  Effect.andThen(
    requireBounded(text),
    Effect.try({
      try: () => JSON.parse(text) as unknown,
      catch: () => notJson(text.trim() === "" ? "The body is empty; it must be JSON." : "The body is not valid JSON.")
    })
  )

/** Returns a copy of a request with the given text as body, and with the content type JSON. */
export const asJson = (
  request: HttpServerRequest.HttpServerRequest,
  text: string
): HttpServerRequest.HttpServerRequest =>
  Object.defineProperty(
    request.modify({ headers: Headers.set(request.headers, "content-type", "application/json") }),
    "text",
    { value: Effect.succeed(text) }
  )

/** Returns a copy of a request with the given bytes as body; they were read before. */
export const alreadyRead = (
  request: HttpServerRequest.HttpServerRequest,
  bytes: Uint8Array
): HttpServerRequest.HttpServerRequest =>
  Object.defineProperty(request.modify({ headers: request.headers }), "arrayBuffer", {
    value: Effect.succeed(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  })
