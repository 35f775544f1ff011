import { ByteSize, Clock, Context, Effect } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { BodiesFull, type BodyNotJson, BodyTooLarge, BodyTooSlow, readBytes } from "./bodies.ts"

/** Bounds on the bodies that are read at the same time, and on how slowly they may come. */
export interface BodyBounds {
  /** How long a body may take, in milliseconds, beside what its size allows at the slowest rate. */
  readonly patience: number
  /** The slowest rate, in bytes a second. */
  readonly slowest: number
  /** Takes room for so many bytes; no when there is not so much left. */
  readonly reserve: (bytes: number) => boolean
  readonly release: (bytes: number) => void
}

/** Returns bounds over all requests that share them. */
export const bodyBounds = ({ memory = 64 * 1024 * 1024, patience = 10_000, slowest = 64 * 1024 } = {}): BodyBounds => {
  let free = memory
  return {
    patience,
    slowest,
    reserve: (bytes) => {
      if (bytes > free) return false
      free -= bytes
      return true
    },
    release: (bytes) => {
      free += bytes
    }
  }
}

/** The bounds of the process, unless others are provided. */
export const BodyBounds = Context.Reference<BodyBounds>("@slipway/http/BodyBounds", {
  defaultValue: () => bodyBounds()
})

/** Returns how long the header of a request says that its body is; nothing when it doesn't say. */
export const declaredLength = ({
  headers
}: Pick<HttpServerRequest.HttpServerRequest, "headers">): number | undefined => {
  const text = headers["content-length"]
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/**
 * Reads a body of at most so many bytes, and goes on with it; its room is given back when that is done.
 *
 * A body that says it is larger is refused before any of it is read. One that comes too slowly, or for which there is no
 * room, is refused as well, so that neither time nor memory is held by whoever sends it.
 */
export const withBody = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  largest: number,
  use: (bytes: Uint8Array) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | BodyTooLarge | BodyTooSlow | BodiesFull | BodyNotJson, R> =>
  Effect.gen(function* () {
    const bounds = yield* BodyBounds
    const declared = declaredLength(request)
    const room = declared ?? largest
    if (room > largest) return yield* new BodyTooLarge()
    if (!bounds.reserve(room)) return yield* new BodiesFull()
    const began = yield* Clock.currentTimeMillis
    const read = readBytes(request).pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(largest)),
      Effect.timeoutOrElse({
        duration: bounds.patience + (room / bounds.slowest) * 1_000,
        orElse: () => Effect.flatMap(Clock.currentTimeMillis, (now) => new BodyTooSlow({ milliseconds: now - began }))
      })
    )
    return yield* Effect.ensuring(
      Effect.flatMap(read, use),
      Effect.sync(() => bounds.release(room))
    )
  })
