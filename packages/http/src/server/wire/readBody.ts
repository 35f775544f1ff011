import { Clock, Context, Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { BodiesFull, BodyNotJson, BodyTooLarge, BodyTooSlow } from "./bodies.ts"

/** The limits for reading request bodies: total memory, and the minimum transfer rate. */
export interface BodyBounds {
  /** The timeout of a body in milliseconds, in addition to the time that its size takes at the rate `slowest`. */
  readonly timeout: number
  /** The minimum transfer rate, in bytes per second. */
  readonly slowest: number
  /** Reserves memory in bytes; returns false if not enough is left. */
  readonly reserve: (bytes: number) => boolean
  readonly release: (bytes: number) => void
}

/** Makes limits; the requests that use the same object share its memory (in bytes). */
export const bodyBounds = ({ memory = 64 * 1024 * 1024, timeout = 10_000, slowest = 64 * 1024 } = {}): BodyBounds => {
  let free = memory
  return {
    timeout,
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

/** The limits for reading request bodies; by default, one object is shared by the whole process. */
export const BodyBounds = Context.Reference<BodyBounds>("@slipway/http/BodyBounds", {
  defaultValue: () => bodyBounds()
})

/** Returns the `Content-Length` of a request in bytes, at most the largest safe integer; `undefined` without it. */
export const declaredLength = ({
  headers
}: Pick<HttpServerRequest.HttpServerRequest, "headers">): number | undefined => {
  const text = headers["content-length"]
  return text !== undefined && /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined
}

/**
 * Reads a body up to a maximum size, and runs `use` with it. The memory reserved for the body is released afterwards.
 *
 * Rejects a body with a too large `Content-Length` before reading it. Also rejects a body that arrives too slowly, or
 * for which no memory is left.
 */
export const withBody = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  largest: number,
  use: (bytes: Uint8Array) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | BodyTooLarge | BodyTooSlow | BodiesFull | BodyNotJson, R> =>
  Effect.gen(function* () {
    const bounds = yield* BodyBounds
    const declared = declaredLength(request)
    if (declared !== undefined && declared > largest) return yield* new BodyTooLarge()
    let held = 0
    /** Reserves memory so that at least `bytes` are reserved for this body; returns false if not enough is left. */
    const hold = (bytes: number): boolean => {
      if (bytes <= held) return true
      if (!bounds.reserve(bytes - held)) return false
      held = bytes
      return true
    }
    const began = yield* Clock.currentTimeMillis
    const chunks: Array<Uint8Array> = []
    let size = 0
    const read = Stream.runForEach(streamOf(request), (chunk): Effect.Effect<void, BodyTooLarge | BodiesFull> => {
      size += chunk.length
      if (size > largest) return Effect.fail(new BodyTooLarge())
      if (!hold(size)) return Effect.fail(new BodiesFull())
      chunks.push(chunk)
      return Effect.void
    }).pipe(
      Effect.timeoutOrElse({
        duration: bounds.timeout + ((declared ?? largest) / bounds.slowest) * 1_000,
        orElse: () => Effect.flatMap(Clock.currentTimeMillis, (now) => new BodyTooSlow({ milliseconds: now - began }))
      })
    )
    const reading = Effect.suspend(() => (hold(declared ?? 0) ? read : Effect.fail(new BodiesFull())))
    return yield* Effect.ensuring(
      Effect.flatMap(reading, () => use(joined(chunks, size))),
      Effect.sync(() => bounds.release(held))
    )
  })

/** Returns the body of a request as a stream; empty for a web `Request` without a body. */
const streamOf = (request: HttpServerRequest.HttpServerRequest): Stream.Stream<Uint8Array, BodyNotJson> =>
  request.source instanceof Request && request.source.body === null
    ? Stream.empty
    : Stream.mapError(request.stream, () => new BodyNotJson({ sentence: "The body could not be read." }))

const joined = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return only
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
