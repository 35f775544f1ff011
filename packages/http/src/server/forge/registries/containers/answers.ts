import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { PublicUrlSettings } from "../../base/PublicUrl.ts"

/** The headers of every registry response; older clients detect a registry by them. */
export const registryHeaders = { "docker-distribution-api-version": "registry/2.0" } as const

/** The error codes of the registry specification. */
type Code =
  | "BLOB_UNKNOWN"
  | "BLOB_UPLOAD_INVALID"
  | "BLOB_UPLOAD_UNKNOWN"
  | "DENIED"
  | "DIGEST_INVALID"
  | "MANIFEST_BLOB_UNKNOWN"
  | "MANIFEST_INVALID"
  | "MANIFEST_UNKNOWN"
  | "NAME_INVALID"
  | "NAME_UNKNOWN"
  | "SIZE_INVALID"
  | "TOOMANYREQUESTS"
  | "UNAUTHORIZED"
  | "UNSUPPORTED"

/** Returns an error response in the format of the OCI distribution specification. */
export const containerError = (
  status: number,
  code: Code,
  message: string,
  headers: Readonly<Record<string, string>> = {}
) =>
  HttpServerResponse.jsonUnsafe(
    { errors: [{ code, message }] },
    { status, headers: { ...registryHeaders, "cache-control": "private, no-cache", ...headers } }
  )

/**
 * Returns the 401 response with two challenges: bearer authentication and basic authentication.
 *
 * For bearer authentication, the client requests a ticket (short-lived token) for `scope` at `/v2/token`.
 */
export const requestSignIn = (
  { rootUrl }: PublicUrlSettings,
  {
    error,
    message = "sign in, or check the name of the image",
    scope
  }: { readonly error?: string; readonly message?: string; readonly scope?: string } = {}
) => {
  const service = rootUrl.replace(/^https?:\/\//, "")
  const parts = Object.entries({ realm: `${rootUrl}/v2/token`, service, scope, error }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`]
  )
  return containerError(401, "UNAUTHORIZED", message, {
    "www-authenticate": `Bearer ${parts.join(",")}, Basic realm="Slipway", charset="UTF-8"`
  })
}

/** The response for an image that is missing or hidden from the caller; both look the same. */
export const unknownName = containerError(404, "NAME_UNKNOWN", "the image does not exist, or you have no access to it")

interface Failure {
  readonly _tag: string
  readonly field?: string
  readonly most?: number
  readonly of?: string
  readonly problem?: string
  readonly size?: number
  readonly digest?: string
}

type Refusal = (error: Failure) => HttpServerResponse.HttpServerResponse

const always =
  (...answer: Parameters<typeof containerError>): Refusal =>
  () =>
    containerError(...answer)

/** Returns the `Range` header with the received bytes of an upload of `size` bytes. */
export const rangeOf = (size: number): string => `0-${Math.max(0, size - 1)}`

const refusals: Readonly<Record<string, Refusal>> = {
  PackageNotFound: () => unknownName,
  PackageNameInvalid: ({ field, problem = "" }) =>
    field === "tag"
      ? containerError(400, "MANIFEST_INVALID", `the tag ${problem}`)
      : containerError(400, "NAME_INVALID", `the name of the image ${problem}`),
  ImageManifestNotFound: always(404, "MANIFEST_UNKNOWN", "the image has no such manifest"),
  ImageManifestInvalid: ({ problem = "" }) => containerError(400, "MANIFEST_INVALID", problem),
  ImageManifestIncomplete: ({ digest = "" }) =>
    containerError(400, "MANIFEST_BLOB_UNKNOWN", `the manifest refers to ${digest}, which is missing in the image`),
  ImageBlobNotFound: always(404, "BLOB_UNKNOWN", "the image has no such blob"),
  ImageBlobInUse: always(405, "UNSUPPORTED", "manifests refer to the blob: delete them first"),
  ImageUploadNotFound: always(404, "BLOB_UPLOAD_UNKNOWN", "the upload does not exist or has ended"),
  ImageUploadOutOfOrder: ({ size = 0 }) =>
    containerError(416, "BLOB_UPLOAD_INVALID", `${size} bytes have arrived: continue after them`, {
      range: rangeOf(size)
    }),
  ImageUploadsFull: ({ most, of }) => containerError(429, "TOOMANYREQUESTS", `at most ${most} ${of} are allowed`),
  BlobMismatch: ({ of }) =>
    of === "size"
      ? containerError(400, "SIZE_INVALID", "the number of bytes does not match Content-Range")
      : containerError(400, "DIGEST_INVALID", "the bytes do not match the digest"),
  BlobTooLarge: always(413, "SIZE_INVALID", "the body exceeds the size limit"),
  BodyTooLarge: always(413, "SIZE_INVALID", "the body exceeds the size limit"),
  BodyTooSlow: always(408, "UNSUPPORTED", "the body arrived too slowly"),
  BodiesFull: always(503, "TOOMANYREQUESTS", "too many requests are being read, try again soon"),
  BodyNotJson: always(400, "MANIFEST_INVALID", "the body could not be read"),
  GitOverloaded: always(503, "TOOMANYREQUESTS", "too many concurrent requests, try again soon")
}

/** Wraps a handler so that its errors become error responses of the OCI distribution specification. */
export const answerFailures =
  <Args extends ReadonlyArray<unknown>, E, R>(
    handle: (...args: Args) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) =>
  (...args: Args): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
    Effect.catch(handle(...args), (failure: unknown) => {
      if (HttpServerResponse.isHttpServerResponse(failure)) return Effect.succeed(failure)
      const refusal = refusals[(failure as Failure)._tag]
      return refusal === undefined ? Effect.die(failure) : Effect.succeed(refusal(failure as Failure))
    })
