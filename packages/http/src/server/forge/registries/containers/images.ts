import { largestManifest } from "@slipway/domain/forge/registries"
import type { Download } from "@slipway/forge/code"
import { ContainerBlobs, ContainerImages, manifestTypes, readManifest } from "@slipway/forge/registries"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { parseJson, textOf } from "../../../wire/bodies.ts"
import { withBody } from "../../../wire/readBody.ts"
import { names, tagOf } from "../../../wire/tags.ts"
import { rangeIn, streamAnswer } from "../../base/conditional.ts"
import { queryIn } from "../../entry/guard.ts"
import { answerFailures, containerError, registryHeaders } from "./answers.ts"
import { enterImage, type ImageName, written } from "./enterImage.ts"
import { digestIn } from "./uploads.ts"

const noContent = (status: number) => HttpServerResponse.empty({ status, headers: registryHeaders })

/** Returns the response with a blob or manifest, or with the requested byte range of it. */
const serve = Effect.fnUntraced(function* ({ bytes, id: digest, size, type }: Download) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const etag = tagOf(digest)
  const headers = { ...registryHeaders, etag, "docker-content-digest": digest, "accept-ranges": "bytes" }
  if (names(request.headers["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers })
  const asksPart = request.headers["if-range"] === undefined || names(request.headers["if-range"], etag)
  const range = asksPart ? rangeIn(request.headers.range, size) : undefined
  if (range === null) {
    return containerError(416, "SIZE_INVALID", "the requested range is outside of the blob", {
      ...headers,
      "content-range": `bytes */${size}`
    })
  }
  const contentType = type ?? "application/octet-stream"
  const contentLength = range === undefined ? size : range.length
  const status = range === undefined ? 200 : 206
  const part =
    range === undefined ? {} : { "content-range": `bytes ${range.offset}-${range.offset + range.length - 1}/${size}` }
  if (request.method === "HEAD") {
    const length = { "content-type": contentType, "content-length": String(contentLength) }
    return HttpServerResponse.empty({ status, headers: { ...headers, ...part, ...length } })
  }
  return yield* streamAnswer(bytes(range), { status, contentType, contentLength, headers: { ...headers, ...part } })
})

/** Handles the download of a blob of an image. */
export const blob = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, digest: string) {
    const { proof } = yield* enterImage("package.container.read", name)
    return yield* serve(yield* ContainerBlobs.read(proof, name.image, yield* digestIn(digest)))
  })
)

/** Handles the deletion of a blob of an image. */
export const deleteBlob = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, digest: string) {
    const { proof } = yield* enterImage("package.container.delete", name)
    yield* ContainerBlobs.remove(proof, name.image, yield* digestIn(digest))
    return noContent(202)
  })
)

/** Handles the download of a manifest of an image. */
export const manifest = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, reference: string) {
    const { proof } = yield* enterImage("package.container.read", name)
    return yield* serve(yield* ContainerImages.read(proof, { image: name.image, reference }))
  })
)

/** Handles the publication of a manifest of an image; the manifest is read into memory. */
export const putManifest = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, reference: string) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { again, proof } = yield* enterImage("package.container.publish", name)
    if (reference.includes(":")) yield* digestIn(reference)
    return yield* withBody(request, largestManifest, (bytes) =>
      Effect.gen(function* () {
        const document = yield* Effect.flatMap(textOf(bytes), parseJson)
        const said = yield* readManifest(document, request.headers["content-type"])
        // Permissions may have changed while the body arrived (invariant I7).
        yield* again
        const digest = yield* ContainerImages.publish(proof, { image: name.image, reference }, said, bytes)
        return HttpServerResponse.empty({
          status: 201,
          headers: {
            ...registryHeaders,
            location: `/v2/${written(name)}/manifests/${digest}`,
            "docker-content-digest": digest,
            ...(said.subject === null ? {} : { "oci-subject": said.subject })
          }
        })
      })
    )
  })
)

/** Handles the deletion of a tag, or of a manifest with all its tags. */
export const deleteManifest = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, reference: string) {
    const { proof } = yield* enterImage("package.container.delete", name)
    yield* ContainerImages.remove(proof, { image: name.image, reference })
    return noContent(202)
  })
)

/** The maximum number of tags in one list. */
const mostTags = 1_000

const next = (path: string, query: Readonly<Record<string, string>>) => ({
  link: `<${path}?${new URLSearchParams(query)}>; rel="next"`
})

/** Handles the list of an image's tags. */
export const tags = answerFailures(
  Effect.fnUntraced(function* (name: ImageName) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { proof } = yield* enterImage("package.container.read", name)
    const query = queryIn(request.url)
    const asked = query.get("n")
    if (asked !== null && !/^\d{1,9}$/.test(asked))
      return containerError(400, "UNSUPPORTED", "n must be the number of tags to list")
    const limit = Math.min(Number(asked ?? mostTags), mostTags)
    const behind = query.get("last") || undefined
    const page = yield* ContainerImages.tags(proof, name.image, { behind, limit: Math.max(1, limit) })
    const listed = limit === 0 ? [] : page.tags
    const last = listed.at(-1)
    const goesOn = page.more && last !== undefined
    const headers = goesOn ? next(`/v2/${written(name)}/tags/list`, { n: String(limit), last }) : {}
    return HttpServerResponse.jsonUnsafe(
      { name: written(name), tags: listed },
      { headers: { ...registryHeaders, ...headers } }
    )
  })
)

/** The maximum number of referring manifests in one list. */
const mostReferrers = 50

/** Handles the list (OCI index) of manifests that refer to a manifest as their subject, for example signatures. */
export const referrers = answerFailures(
  Effect.fnUntraced(function* (name: ImageName, reference: string) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { proof } = yield* enterImage("package.container.read", name)
    const subject = yield* digestIn(reference)
    const query = queryIn(request.url)
    const artifactType = query.get("artifactType") || undefined
    const after = query.get("after") ?? undefined
    const found = yield* ContainerImages.referrers(proof, name.image, subject, artifactType, {
      after,
      limit: mostReferrers
    })
    const filtered = artifactType === undefined ? {} : { artifactType }
    const path = `/v2/${written(name)}/referrers/${subject}`
    const headers = {
      ...registryHeaders,
      ...(artifactType === undefined ? {} : { "oci-filters-applied": "artifactType" }),
      ...(found.next === undefined ? {} : next(path, { ...filtered, after: found.next }))
    }
    const manifests = found.rows.map(({ annotations, artifactType, digest, mediaType, size }) => ({
      mediaType,
      digest,
      size,
      ...(artifactType === null ? {} : { artifactType }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations })
    }))
    const index = { schemaVersion: 2, mediaType: manifestTypes.index, manifests }
    return HttpServerResponse.text(JSON.stringify(index), { contentType: manifestTypes.index, headers })
  })
)
