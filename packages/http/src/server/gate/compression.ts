import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { encodedFormsOf } from "../answerCache.ts"
import { addVary } from "./vary.ts"

/** The minimum size for compression, in bytes; smaller bodies fit into about one packet anyway. */
const least = 1_024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * The encoders for each content encoding. Content that is compressed once and reused gets a higher quality.
 *
 * The normal qualities take less time than gzip's default, for about the same size.
 */
const encoders = {
  br: (bytes: Uint8Array, isReused: boolean) =>
    brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: isReused ? 9 : 3 } }),
  gzip: (bytes: Uint8Array, isReused: boolean) => zip(bytes, { level: isReused ? 9 : 4 })
} as const

type Encoding = keyof typeof encoders

/**
 * Returns the supported encoding with the highest weight in a header `Accept-Encoding`.
 *
 * @example
 * encodingIn("gzip, deflate, br") // => "br"
 * encodingIn("gzip;q=1, br;q=0.5") // => "gzip"
 * encodingIn("identity, gzip;q=0") // => undefined
 */
export const encodingIn = (header: string | undefined): Encoding | undefined => {
  if (header === undefined) return undefined
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(",", 32)) {
    const [, name, weight = "1"] = /^\s*([a-z*-]{1,32})\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(part) ?? []
    if (name !== undefined) weights.set(name, Number(weight))
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get("*") ?? 0
  const [br, gzip] = [weightOf("br"), weightOf("gzip")]
  if (br === 0 && gzip === 0) return undefined
  return br >= gzip ? "br" : "gzip"
}

const compressible =
  /^(?:application\/(?:[\w.-]+\+)?(?:json|xml)|application\/javascript|text\/(?:css|csv|javascript|plain)|image\/svg\+xml)(?:;|$)/

/** Returns whether a response must not be compressed, because it allows byte ranges or has a strong ETag. */
const isExact = ({
  "accept-ranges": ranges,
  "content-range": range,
  etag
}: Readonly<Record<string, string>>): boolean =>
  ranges !== undefined || range !== undefined || (etag !== undefined && !etag.startsWith("W/"))

/**
 * Compresses a response in memory if it is text of at least 1 KiB and the client accepts compression.
 *
 * HTML pages and responses to requests with cookies are not compressed, unless they are cached and the same for all
 * callers. Otherwise an attacker could guess secrets, such as form tokens, from the compressed length (BREACH attack).
 */
export const compress = (
  { cookies, headers, method }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body, status } = response
  const forms = encodedFormsOf(body)
  const isText = body._tag === "Uint8Array" && (forms !== undefined || compressible.test(body.contentType))
  if (status === 304 && !isExact(response.headers)) return Effect.succeed(addVary(response, "Accept-Encoding"))
  if ((method !== "GET" && method !== "HEAD") || status !== 200 || !isText) return Effect.succeed(response)
  if (response.headers["content-encoding"] !== undefined || isExact(response.headers)) return Effect.succeed(response)
  const varied = addVary(response, "Accept-Encoding")
  const encoding = encodingIn(headers["accept-encoding"])
  const isPlain = body.contentLength < least || (forms === undefined && Object.keys(cookies).length > 0)
  if (encoding === undefined || isPlain) return Effect.succeed(varied)
  const answer = (bytes: Uint8Array) =>
    HttpServerResponse.setHeader(
      HttpServerResponse.setBody(varied, HttpBody.uint8Array(bytes, body.contentType)),
      "content-encoding",
      encoding
    )
  const known = forms?.get(encoding)
  if (known !== undefined) return Effect.succeed(answer(known))
  return Effect.map(
    Effect.promise(() => encoders[encoding](body.body, forms !== undefined)),
    (bytes) => {
      forms?.set(encoding, bytes)
      return answer(bytes)
    }
  )
}
