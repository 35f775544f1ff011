import type { GitOverloaded } from "@slipway/domain/forge/code"
import { Cause, Effect, Stream } from "effect"
import { type HttpBody, HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { digestOf, names, weakTagOf, withoutBodyIfCurrent } from "../../wire/tags.ts"

/**
 * Returns 304 if the client has the version with this ETag; otherwise runs `answer` and adds the ETag to its response.
 */
export const unlessCached = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  tag: string,
  answer: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    if (names(request.headers["if-none-match"], tag)) {
      return HttpServerResponse.empty({ status: 304, headers: { etag: tag } })
    }
    yield* HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(response.status < 300 ? HttpServerResponse.setHeader(response, "etag", tag) : response)
    )
    return yield* answer
  })

const isJson = (body: HttpBody.HttpBody): body is HttpBody.Uint8Array =>
  body._tag === "Uint8Array" && body.contentType.startsWith("application/json")

/** Adds a weak ETag to a JSON response without one; returns other responses unchanged. */
export const withTag = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { body, headers } = response
  return headers.etag === undefined && isJson(body)
    ? HttpServerResponse.setHeader(response, "etag", weakTagOf(digestOf(body.text ?? body.body)))
    : response
}

/**
 * Adds an ETag to a JSON response to GET, and returns 304 without a body if the client has the current version.
 *
 * The ETag is a digest of the complete response, because its parts, such as the account of an author, can change when
 * the main resource does not.
 */
export const conditional = (
  request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method">,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body, headers, status } = response
  return request.method === "GET" && status === 200 && headers["cache-control"] === undefined && isJson(body)
    ? withoutBodyIfCurrent(request, withTag(response))
    : response
}

/** A requested byte range of a file, in bytes. */
export interface RequestedRange {
  readonly offset: number
  readonly length: number
}

/**
 * Returns the part of a file in a header `Range`; `undefined` for the whole file, `null` for a part out of range.
 *
 * @example
 * rangeIn("bytes=2-4", 10) // => { offset: 2, length: 3 }
 * rangeIn("bytes=-3", 10) // => { offset: 7, length: 3 }
 * rangeIn("bytes=8-", 10) // => { offset: 8, length: 2 }
 * rangeIn("bytes=10-", 10) // => null
 * rangeIn("bytes=1-2,4-5", 10) // => undefined
 */
export const rangeIn = (header: string | undefined, size: number): RequestedRange | null | undefined => {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? []
  if (from === "" && to === "") return undefined
  if (from === "") {
    const length = Math.min(Number(to), size)
    return length === 0 ? null : { offset: size - length, length }
  }
  const offset = Number(from)
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1)
  return offset >= size || last < offset ? null : { offset, length: last - offset + 1 }
}

/** Makes a streamed response after the first bytes arrived, so that an early failure still gets an error response. */
export const streamAnswer = Effect.fnUntraced(function* (
  bytes: Stream.Stream<Uint8Array, GitOverloaded>,
  options: Parameters<typeof HttpServerResponse.stream>[1]
) {
  const pull = yield* Stream.toPull(bytes)
  const first = yield* Effect.catchCause(pull, (cause) => {
    const failure = Cause.findErrorOption(cause)
    if (failure._tag === "Some" && (failure.value as { _tag?: string })._tag === "GitOverloaded") {
      return Effect.fail(failure.value as GitOverloaded)
    }
    return failure._tag === "Some" ? Effect.succeed([]) : Effect.failCause(cause as Cause.Cause<never>)
  })
  const rest = first.length === 0 ? Stream.empty : Stream.fromPull(Effect.succeed(pull))
  return HttpServerResponse.stream(Stream.concat(Stream.fromIterable(first), rest), options)
})
