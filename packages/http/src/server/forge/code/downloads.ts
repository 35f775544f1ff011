import { downloadHeaders, FileTypes, joined, pathIn, signatureLength } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import {
  type ArchiveKind,
  archive,
  archiveIn,
  type Download,
  download,
  downloadMedia,
  RevisionNotFound
} from "@slipway/forge/code"
import { Effect, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { names, tagOf } from "../../wire/tags.ts"
import { rangeIn, streamAnswer } from "../base/conditional.ts"
import { answerTo, type HandlerError } from "../base/errors.ts"
import { answerWithPublicUrl, PublicUrl, referenceUrl } from "../base/PublicUrl.ts"
import { authorizeRequest } from "../entry/admission.ts"
import { textOf } from "./pullPatches.ts"
import { restOfPath } from "./repositoryLinks.ts"

type Request = HttpServerRequest.HttpServerRequest

const typeOf = Effect.fnUntraced(function* ({ bytes, size }: Download) {
  const types = yield* FileTypes
  const pieces = yield* Stream.runCollect(bytes({ offset: 0, length: Math.min(signatureLength, size) }))
  return yield* types.typeOf(joined(pieces))
})

/** Returns `Cache-Control`: a day for a file at a commit id, which never changes; else revalidation on each use. */
const cacheControl = (fixed: boolean): string => (fixed ? "private, max-age=86400" : "private, no-cache")

/**
 * Returns the response with a file or the requested byte range; headers prevent browsers from executing the content.
 */
export const serve = Effect.fnUntraced(function* (request: Request, file: Download) {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1)
  const etag = tagOf(file.id)
  const cache = { etag, "cache-control": cacheControl(file.fixed), "accept-ranges": "bytes" }
  if (names(request.headers["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers: cache })
  const asksPart = request.headers["if-range"] === undefined || names(request.headers["if-range"], etag)
  const range = asksPart ? rangeIn(request.headers.range, file.size) : undefined
  if (range === null) {
    const url = referenceUrl(yield* PublicUrl)
    return HttpServerResponse.jsonUnsafe(
      { message: "the requested range is outside of the file", url },
      { status: 416, headers: { ...cache, "content-range": `bytes */${file.size}` } }
    )
  }
  const type = file.type ?? (file.size === 0 ? "text/plain" : yield* typeOf(file))
  const { "content-type": contentType = "application/octet-stream", ...safe } = downloadHeaders(name, type)
  // A text is shown as text: nothing in it runs. An artifact is downloaded under its name, even if it is a text.
  const isShown = contentType.startsWith("text/plain") && file.type === undefined
  const shown = isShown ? { "content-disposition": "inline" } : {}
  const headers = {
    ...safe,
    ...shown,
    ...cache,
    ...(range === undefined
      ? {}
      : { "content-range": `bytes ${range.offset}-${range.offset + range.length - 1}/${file.size}` })
  }
  const contentLength = range === undefined ? file.size : range.length
  const status = range === undefined ? 200 : 206
  if (request.method === "HEAD")
    return HttpServerResponse.empty({
      status,
      headers: { ...headers, "content-type": contentType, "content-length": String(contentLength) }
    })
  return yield* streamAnswer(file.bytes(range), { status, contentType, contentLength, headers })
})

type Find<P, E, R> = (proof: P, path: string, revision: string | undefined) => Effect.Effect<Download, E, R>

const archiveTypes = {
  bundle: "application/octet-stream",
  "tar.gz": "application/gzip",
  zip: "application/zip"
} as const

/** Returns the response with an archive of a revision; 304 if the client already has the archive of this commit. */
export const revisionArchive = Effect.fnUntraced(function* (
  request: Request,
  proof: Parameters<typeof archive>[0],
  revision: string,
  kind: ArchiveKind
) {
  const { commit, fileName, open, size } = yield* archive(proof, revision, kind)
  const contentType = archiveTypes[kind]
  const etag = tagOf(commit, kind.replace(".", ""))
  const headers = {
    ...downloadHeaders(fileName, contentType),
    "content-type": contentType,
    etag,
    "cache-control": cacheControl(revision === commit)
  }
  if (names(request.headers["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers: { etag } })
  if (request.method === "HEAD") {
    const known = yield* size
    const length = known === undefined ? {} : { "content-length": String(known) }
    return HttpServerResponse.empty({ status: 200, headers: { ...headers, ...length } })
  }
  const opened = yield* open
  const length = opened.size === undefined ? {} : { contentLength: opened.size }
  return yield* streamAnswer(opened.bytes, { contentType, ...length, headers })
})

/** Returns the response with the archive for a name such as `main.zip`; fails if the name has no archive type. */
export const archiveAnswer = Effect.fnUntraced(function* (
  request: Request,
  proof: Parameters<typeof archive>[0],
  name: string
) {
  const wanted = archiveIn(name)
  if (wanted === undefined) return yield* new RevisionNotFound({ name })
  return yield* revisionArchive(request, proof, wanted.revision, wanted.kind)
})

/** The routes of web links to files, archives, and the diffs of pull requests. */
export const linkRoutes = {
  raw: "/:username/:reponame/raw/*",
  media: "/:username/:reponame/media/*",
  archive: "/:username/:reponame/archive/*",
  diff: "/:username/:reponame/pulls/:index.diff",
  patch: "/:username/:reponame/pulls/:index.patch"
} as const

/** The number of path segments before the file's name in links: `owner/name/raw`. */
const linkParts = 3

/**
 * Returns the possible pairs of revision and file path in a link, in the order in which to try them.
 *
 * The link may begin with the kind of revision (`branch/main/a.txt`). Branch names can contain slashes, so the shortest
 * revision comes first.
 */
const meanings = (text: string): ReadonlyArray<{ readonly revision: string; readonly path: string }> => {
  const [kind = "", ...after] = text.split("/")
  const spaces: Readonly<Record<string, string>> = { branch: "refs/heads/", tag: "refs/tags/", commit: "" }
  const space = spaces[kind]
  const parts = space === undefined ? [kind, ...after] : after
  const most = Math.min(parts.length - 1, 8)
  return Array.from({ length: Math.max(most, 0) }, (_, at) => ({
    revision: `${space ?? ""}${parts.slice(0, at + 1).join("/")}`,
    path: parts.slice(at + 1).join("/")
  }))
}

/**
 * Finds a file with `find` and returns the download response.
 *
 * Without `ref`, the file is searched in the default branch; if it is missing there, the path is tried as revision
 * followed by file path, because Drone CI sends such requests.
 */
export const downloadAnswer = <P, E, R>(
  request: Request,
  find: Find<P, E, R>,
  proof: P,
  path: string,
  ref: string | undefined
) =>
  find(proof, pathIn(path), ref).pipe(
    Effect.catch((missing: E) =>
      Effect.firstSuccessOf([
        ...(ref === undefined ? meanings(path) : []).map((each) => find(proof, pathIn(each.path), each.revision)),
        Effect.fail(missing)
      ])
    ),
    Effect.flatMap((file) => serve(request, file))
  )

const linked = <A extends "repository.file.media" | "repository.file.raw", E extends HandlerError, R>(
  action: A,
  find: Find<Proof<A>, E, R>
) =>
  Effect.fnUntraced(function* (request: Request) {
    const proof = yield* authorizeRequest(action)
    if (HttpServerResponse.isHttpServerResponse(proof)) return proof
    const possible = meanings(restOfPath(request, linkParts))
    const found = yield* Effect.firstSuccessOf([
      ...possible.map(({ path, revision }) => find(proof, path, revision)),
      Effect.fail(new RevisionNotFound({ name: "" }))
    ])
    return yield* serve(request, found)
  })

const linkedArchive = Effect.fnUntraced(function* (request: Request) {
  const proof = yield* authorizeRequest("repository.archive.download")
  if (HttpServerResponse.isHttpServerResponse(proof)) return proof
  return yield* archiveAnswer(request, proof, restOfPath(request, linkParts))
})

const linkedText = (action: "pull.diff" | "pull.patch", style: "diff" | "mails") =>
  Effect.fnUntraced(function* (request: Request) {
    const proof = yield* authorizeRequest(action)
    if (HttpServerResponse.isHttpServerResponse(proof)) return proof
    return yield* textOf(style)({ proof, request })
  })

const routed = <E extends HandlerError, R>(
  answer: (request: Request) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    return yield* answer(request)
  }).pipe(
    Effect.catch((error) => answerTo(error)),
    answerWithPublicUrl
  )

/** Layer with the routes of web links to files, archives and diffs of pull requests. */
export const linkedRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", linkRoutes.raw, routed(linked("repository.file.raw", download)))
    yield* router.add("GET", linkRoutes.media, routed(linked("repository.file.media", downloadMedia)))
    yield* router.add("GET", linkRoutes.archive, routed(linkedArchive))
    yield* router.add("GET", linkRoutes.diff, routed(linkedText("pull.diff", "diff")))
    yield* router.add("GET", linkRoutes.patch, routed(linkedText("pull.patch", "mails")))
  })
)
