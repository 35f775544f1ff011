import { ByteSize, Context, Duration, Effect, Stream } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { BodyNotJson, BodyTooSlow } from "../../wire/bodies.ts"
import { UploadIdleTimeout } from "./UploadIdleTimeout.ts"

/** Makes the error for a request body that ended early. */
export const broken = () => new BodyNotJson({ sentence: "The body ended early." })

/**
 * Returns the bytes of a request as they arrive, up to a maximum size.
 *
 * The stream fails if the client is idle for too long, so that a partial body is never treated as complete.
 */
export const sentBytes = Effect.fnUntraced(function* (largest: number) {
  const { stream } = yield* HttpServerRequest.HttpServerRequest
  const silence = yield* UploadIdleTimeout
  // With one more byte, the reader reports that there are too many.
  const bounds = Context.make(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(largest + 1))
  return Stream.mapError(Stream.provideContext(stream, bounds), broken).pipe(
    Stream.timeoutOrElse({
      duration: silence,
      orElse: () => Stream.fail(new BodyTooSlow({ milliseconds: Duration.toMillis(silence) }))
    })
  )
})
