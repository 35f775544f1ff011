import { Duration, Effect, Stream } from "effect"
import { Sse } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import { ShutdownSignal } from "../shutdown.ts"

/** One server-sent event; its data is sent as JSON. */
export interface StreamedEvent {
  /** The event id (cursor) with which the client resumes after a lost connection. */
  readonly id?: string
  readonly event: string
  readonly data: unknown
}

const retry = Sse.encoder.write(new Sse.Retry({ duration: Duration.seconds(2), lastEventId: undefined }))
const keepAlive = ": keep-alive\n\n"
const quietAtMost = "15 seconds"

const written = ({ data, event, id }: StreamedEvent): string =>
  Sse.encoder.write({ _tag: "Event", id, event, data: JSON.stringify(data) })

/**
 * Returns a response of server-sent events, until the stream ends, the client disconnects or the service shuts down.
 *
 * Events are pulled as the client reads them (backpressure), so a slow client needs little memory.
 */
export const eventStream = Effect.fnUntraced(function* <E, R>(events: Stream.Stream<StreamedEvent, E, R>) {
  const context = yield* Effect.context<R>()
  const ending = yield* ShutdownSignal
  const signs = Stream.tick(quietAtMost).pipe(
    Stream.drop(1),
    Stream.map(() => keepAlive)
  )
  const text = Stream.concat(
    Stream.make(retry),
    Stream.merge(Stream.map(events, written), signs, { haltStrategy: "left" })
  ).pipe(Stream.interruptWhen(ending), Stream.encodeText, Stream.provideContext(context))
  return HttpServerResponse.stream(text, {
    contentType: "text/event-stream",
    headers: {
      // Proxies that buffer or compress answers would delay events.
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      // Otherwise the connection, which no other request can have used, would outlive the stream and a stopping
      // service.
      connection: "close"
    }
  })
})
