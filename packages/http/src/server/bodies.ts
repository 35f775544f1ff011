import { Data, Effect, Predicate } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Reports that a body is larger than the service reads. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge") {}
/** Reports that a body is no JSON. */
export class BodyNotJson extends Data.TaggedError("BodyNotJson") {}

/** Reads the body of a request as JSON, of whatever content type. */
export const readJson = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<unknown, BodyTooLarge | BodyNotJson> =>
  Effect.flatMap(
    Effect.mapError(request.text, (error) =>
      Predicate.hasProperty(error.reason, "reason") && error.reason.reason === "BodyTooLarge"
        ? new BodyTooLarge()
        : new BodyNotJson()
    ),
    (text) => Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => new BodyNotJson() })
  )
