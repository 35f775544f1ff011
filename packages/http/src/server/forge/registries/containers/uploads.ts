import { type ImageDigest, isImageDigest } from "@slipway/domain/forge/registries"
import { ContainerBlobs, ContainerUploads, largestPackageFile } from "@slipway/forge/registries"
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { declaredLength } from "../../../wire/readBody.ts"
import { sentBytes } from "../../base/sentBytes.ts"
import { queryIn } from "../../entry/guard.ts"
import { answerFailures, containerError, rangeOf, registryHeaders } from "./answers.ts"
import { enterImage, type ImageEntered, type ImageName, nameIn, written } from "./enterImage.ts"

const action = "package.container.upload"
type Entered = ImageEntered<typeof action>

/** Validates a digest in a request; fails with the 400 response. */
export const digestIn = (text: string | null): Effect.Effect<ImageDigest, HttpServerResponse.HttpServerResponse> =>
  text !== null && isImageDigest(text)
    ? Effect.succeed(text)
    : Effect.fail(containerError(400, "DIGEST_INVALID", "digests must use sha256, such as sha256:…"))

/** Returns the request body as a stream, which authorizes the request again after the last byte (invariant I7). */
const bytesOf = Effect.fnUntraced(function* ({ again }: Entered) {
  return Stream.concat(yield* sentBytes(yield* largestPackageFile), Stream.fromEffectDrain(again))
})

/** Parses the header `Content-Range`; undefined if it is missing. */
const placeIn = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const said = headers["content-range"]
  if (said === undefined) return Effect.succeed(undefined)
  const [, first, last] = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/.*)?$/.exec(said) ?? []
  const length = Number(last) - Number(first) + 1
  return length > 0
    ? Effect.succeed({ start: Number(first), length })
    : Effect.fail(containerError(400, "BLOB_UPLOAD_INVALID", "Content-Range must have the form 0-1023"))
}

/** Returns whether a request has no body. */
const isEmpty = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.source instanceof Request
    ? request.source.body === null
    : (declaredLength(request) ?? 0) === 0 && request.headers["transfer-encoding"] === undefined

const addressOf = (name: ImageName, upload: string): string => `/v2/${written(name)}/blobs/uploads/${upload}`

/** Returns the response with the progress of an upload, in headers. */
const progressAnswer = (status: number, name: ImageName, upload: string, size: number) =>
  HttpServerResponse.empty({
    status,
    headers: {
      ...registryHeaders,
      location: addressOf(name, upload),
      range: rangeOf(size),
      "docker-upload-uuid": upload
    }
  })

/** Returns the 201 response for a new blob of an image. */
const blobCreated = (name: ImageName, digest: ImageDigest) =>
  HttpServerResponse.empty({
    status: 201,
    headers: {
      ...registryHeaders,
      location: `/v2/${written(name)}/blobs/${digest}`,
      "docker-content-digest": digest
    }
  })

/**
 * Returns the source image of a blob mount (`from`); undefined if it is missing, or the ticket does not permit to read
 * it.
 */
const sourceIn = (query: URLSearchParams, { mayPull }: Entered): ImageName | undefined => {
  const source = nameIn(query.get("from") ?? "")
  return source !== undefined && mayPull(source) ? source : undefined
}

/** Handles the start of an upload; the request can also contain the complete blob, or mount one from another image. */
export const begin = answerFailures(
  Effect.fnUntraced(function* (name: ImageName) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const entered = yield* enterImage(action, name)
    const { proof } = entered
    const query = queryIn(request.url)
    const [mounted, whole] = [query.get("mount"), query.get("digest")]
    const source = sourceIn(query, entered)
    if (mounted !== null && source !== undefined) {
      const digest = yield* digestIn(mounted)
      if (yield* ContainerBlobs.mount(proof, name.image, source, digest)) return blobCreated(name, digest)
    } else if (whole !== null && mounted === null) {
      const digest = yield* digestIn(whole)
      yield* ContainerUploads.put(proof, name.image, digest, yield* bytesOf(entered))
      return blobCreated(name, digest)
    }
    const { uuid } = yield* ContainerUploads.begin(proof, name.image)
    return progressAnswer(202, name, uuid, 0)
  })
)

/** Handles the request for the progress of an upload. */
export const status = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, upload: string) {
    const { proof } = yield* enterImage(action, name)
    const { size } = yield* ContainerUploads.read(proof, { image: name.image, upload })
    return progressAnswer(204, name, upload, size)
  })
)

/** Handles a request that appends a part to an upload. */
export const append = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, upload: string) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const entered = yield* enterImage(action, name)
    const sent = { place: yield* placeIn(request), bytes: yield* bytesOf(entered) }
    const size = yield* ContainerUploads.append(entered.proof, { image: name.image, upload }, sent)
    return progressAnswer(202, name, upload, size)
  })
)

/** Handles the request that completes an upload; its body can contain the last part. */
export const finish = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, upload: string) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const entered = yield* enterImage(action, name)
    const digest = yield* digestIn(queryIn(request.url).get("digest"))
    const last = isEmpty(request) ? undefined : { place: yield* placeIn(request), bytes: yield* bytesOf(entered) }
    yield* ContainerUploads.finish(entered.proof, { image: name.image, upload }, digest, last)
    return blobCreated(name, digest)
  })
)

/** Handles the cancellation of an upload, and deletes its bytes. */
export const cancel = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, upload: string) {
    const { proof } = yield* enterImage(action, name)
    yield* ContainerUploads.cancel(proof, { image: name.image, upload })
    return HttpServerResponse.empty({ status: 204, headers: registryHeaders })
  })
)
