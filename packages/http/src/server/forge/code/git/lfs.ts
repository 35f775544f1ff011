import { type LfsLock, LfsOid } from "@slipway/domain/forge/code"
import type { Proof } from "@slipway/domain/forge/entry"
import { Lfs } from "@slipway/forge/code"
import { Effect, Schema, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { parseJson, textOf } from "../../../wire/bodies.ts"
import { withBody } from "../../../wire/readBody.ts"
import { names, tagOf } from "../../../wire/tags.ts"
import { rangeIn } from "../../base/conditional.ts"
import { PublicUrl } from "../../base/PublicUrl.ts"
import { UploadIdleTimeout } from "../../base/UploadIdleTimeout.ts"
import { gitHeaders } from "./answers.ts"
import { enterGit, type GitAction } from "./enterGit.ts"

const contentType = "application/vnd.git-lfs+json"

const base = "/:owner/:repository/info/lfs"

/** The routes of git LFS, below the path of a repository. */
export const lfsPaths = {
  batch: `${base}/objects/batch`,
  object: `${base}/objects/:oid`,
  verify: `${base}/verify`,
  locks: `${base}/locks`,
  verifyLocks: `${base}/locks/verify`,
  unlock: `${base}/locks/:id/unlock`
} as const

const json = (body: unknown, status = 200) =>
  HttpServerResponse.jsonUnsafe(body, { status, contentType, headers: gitHeaders })

const failed = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.fail(HttpServerResponse.setHeaders(json({ message }, status), headers))

const ObjectName = Schema.Struct({
  oid: LfsOid,
  size: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
})

const Batch = Schema.Struct({
  operation: Schema.Literals(["download", "upload"]),
  transfers: Schema.optionalKey(Schema.Array(Schema.String)),
  hash_algo: Schema.optionalKey(Schema.String),
  objects: Schema.Array(ObjectName)
})

const NewLock = Schema.Struct({ path: Schema.String })
const Listing = Schema.Struct({
  cursor: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Schema.Number)
})
const Unlock = Schema.Struct({ force: Schema.optionalKey(Schema.NullOr(Schema.Boolean)) })

/** The maximum size of JSON request bodies, in bytes: enough for a batch with the maximum number of objects. */
const largestBody = 1024 * 1024

const bodyOf = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  const parsed = (bytes: Uint8Array) => Effect.flatMap(textOf(bytes), parseJson)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    withBody(request, largestBody, (bytes) => Effect.flatMap(parsed(bytes), decode)).pipe(
      Effect.catchTags({
        BodyTooLarge: () => failed(413, "the request is too large"),
        BodyTooSlow: () => failed(408, "the request arrived too slowly"),
        BodiesFull: () => failed(503, "too many requests are being read, try again soon")
      }),
      Effect.catchTags({
        BodyNotJson: () => failed(422, "the request is not a valid LFS request"),
        SchemaError: () => failed(422, "the request is not a valid LFS request")
      })
    )
  )
}

/** Parses the id of a lock; returns 0, which no lock has, for an invalid text. */
const numberIn = (text: string | undefined): number => (/^[1-9]\d{0,15}$/.test(text ?? "") ? Number(text) : 0)

const params = Effect.map(HttpRouter.RouteContext, (route) => route.params)
const pathOf = Effect.map(params, ({ owner = "", repository = "" }) => `/${owner}/${repository}`)

const enter = <A extends GitAction>(action: A) => Effect.flatMap(pathOf, (path) => enterGit(action, path))

/**
 * Authorizes the caller, reads the body, and authorizes again with the permissions after its arrival (invariant I7).
 */
const enterWith = <A extends GitAction, B>(action: A, schema: Schema.Decoder<B>) =>
  Effect.gen(function* () {
    // A caller without permission learns nothing about the body either.
    yield* enter(action)
    const body = yield* bodyOf(schema)
    return { body, proof: (yield* enter(action)).proof }
  })

const oidOf = Effect.flatMap(params, ({ oid }) =>
  Effect.catch(Schema.decodeUnknownEffect(LfsOid)(oid), () => failed(422, "the object name is not valid"))
)

/** The LFS URL of the repository: below the configured public URL, or else below the host of the request. */
const addressOf = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { rootUrl } = yield* PublicUrl
  const root = rootUrl === "" ? `http://${headers.host ?? "localhost"}` : rootUrl
  return `${root}${yield* pathOf}/info/lfs`
})

/** The headers that clients must send to the returned URLs: the LFS ticket of the request, if it has one. */
const headerOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  /^Bearer lfs-/i.test(headers.authorization ?? "") ? { Authorization: headers.authorization } : {}
)

const batch = Effect.gen(function* () {
  const { body, proof: reading } = yield* enterWith("git.lfs.read", Batch)
  const { hash_algo = "sha256", objects, operation, transfers = ["basic"] } = body
  if (hash_algo !== "sha256") return yield* failed(409, "only SHA-256 object names are supported")
  if (!transfers.includes("basic")) return yield* failed(422, "only the transfer `basic` is supported")
  if (objects.length > Lfs.mostInBatch) return yield* failed(413, "the batch has too many objects")
  const proof: Proof<"git.lfs.read"> | Proof<"git.lfs.write"> =
    operation === "upload" ? (yield* enter("git.lfs.write")).proof : reading
  const oids = objects.map(({ oid }) => oid)
  const linked = yield* Lfs.linkObject(proof, oids)
  const address = yield* addressOf
  const header = yield* headerOf
  const to = (oid: string) => ({ href: `${address}/objects/${oid}`, header })
  return json({
    transfer: "basic",
    hash_algo: "sha256",
    objects: objects.map(({ oid, size }) => {
      const isThere = linked.get(oid) === size
      if (operation === "download") {
        return isThere
          ? { oid, size, actions: { download: to(oid) } }
          : { oid, size, error: { code: 404, message: "the object does not exist in this repository" } }
      }
      return isThere
        ? { oid, size }
        : { oid, size, actions: { upload: to(oid), verify: { href: `${address}/verify`, header } } }
    })
  })
})

const download = Effect.gen(function* () {
  const { proof } = yield* enter("git.lfs.read")
  const oid = yield* oidOf
  const { headers: asked } = yield* HttpServerRequest.HttpServerRequest
  const { bytes, size } = yield* Lfs.read(proof, oid)
  const etag = tagOf(oid)
  const headers = { ...gitHeaders, "accept-ranges": "bytes", etag }
  const isSame = asked["if-range"] === undefined || names(asked["if-range"], etag)
  const range = isSame ? rangeIn(asked.range, size) : undefined
  if (range === null)
    return yield* failed(416, "the requested range is outside of the object", { "content-range": `bytes */${size}` })
  const part = range && { first: range.offset, last: range.offset + range.length - 1 }
  return HttpServerResponse.stream(bytes(part), {
    status: range === undefined ? 200 : 206,
    contentType: "application/octet-stream",
    contentLength: range === undefined ? size : range.length,
    headers: part === undefined ? headers : { ...headers, "content-range": `bytes ${part.first}-${part.last}/${size}` }
  })
})

const upload = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { proof } = yield* enter("git.lfs.write")
  const oid = yield* oidOf
  // An interrupted upload doesn't match its object id, and nothing is stored.
  const sent = Stream.timeout(request.stream, yield* UploadIdleTimeout)
  // Permissions are checked again after the last byte, before the repository gets any of it (invariant I7).
  const confirmed = Stream.fromEffectDrain(enter("git.lfs.write"))
  yield* Lfs.put(proof, oid, Stream.concat(sent, confirmed))
  return HttpServerResponse.empty({ status: 200, headers: gitHeaders })
})

const verify = Effect.gen(function* () {
  const { body, proof } = yield* enterWith("git.lfs.write", ObjectName)
  const { oid, size } = body
  yield* Lfs.verify(proof, oid, size)
  return json({})
})

const showLock = ({ id, lockedAt, owner, path }: LfsLock) => ({
  id: String(id),
  path,
  locked_at: lockedAt,
  owner: { name: owner }
})

const perPage = 100
const pageOf = (cursor: string | undefined) => ({
  page: 1,
  perPage,
  ...(cursor === undefined || cursor === "" ? {} : { after: cursor })
})
const nextOf = (next: string | undefined) => (next === undefined ? {} : { next_cursor: next })

const list = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { proof } = yield* enter("git.lfs.read")
  const query = new URLSearchParams(request.url.split("?")[1] ?? "")
  const [id, path] = [query.get("id"), query.get("path")]
  if (id !== null || path !== null) {
    const found = yield* Lfs.lockOf(proof, path === null ? { id: numberIn(id ?? undefined) } : { path })
    return json({ locks: found === undefined ? [] : [showLock(found)] })
  }
  const page = pageOf(query.get("cursor") ?? undefined)
  const { next, rows } = yield* Lfs.locks(proof, page)
  return json({ locks: rows.map(showLock), ...nextOf(next) })
})

const lock = Effect.gen(function* () {
  const { body, proof } = yield* enterWith("git.lfs.write", NewLock)
  const { path } = body
  return yield* Lfs.lock(proof, path).pipe(
    Effect.map((newLock) => json({ lock: showLock(newLock) }, 201)),
    Effect.catchTag("LfsPathLocked", () =>
      Effect.map(Lfs.lockOf(proof, { path }), (found) =>
        json({ ...(found === undefined ? {} : { lock: showLock(found) }), message: "the path is already locked" }, 409)
      )
    )
  )
})

const verifyLocks = Effect.gen(function* () {
  const { body, proof } = yield* enterWith("git.lfs.write", Listing)
  const page = pageOf(body.cursor)
  const { next, rows } = yield* Lfs.locks(proof, page)
  return json({
    ours: rows.filter((each) => Lfs.isOwn(proof, each)).map(showLock),
    theirs: rows.filter((each) => !Lfs.isOwn(proof, each)).map(showLock),
    ...nextOf(next)
  })
})

const unlock = Effect.gen(function* () {
  const { body, proof } = yield* enterWith("git.lfs.write", Unlock)
  const { id } = yield* params
  return json({ lock: showLock(yield* Lfs.unlock(proof, numberIn(id), body.force === true)) })
})

interface Tagged {
  readonly _tag: string
}

const statuses: Readonly<Record<string, readonly [number, string]>> = {
  LfsObjectNotFound: [404, "the object does not exist in this repository"],
  LfsLockNotFound: [404, "the lock does not exist in this repository"],
  LfsLockOfAnother: [403, "the lock belongs to another user"],
  LfsPathInvalid: [422, "the path is not valid"],
  BlobMismatch: [422, "the bytes do not match the object name"],
  BlobTooLarge: [413, "the object is too large"],
  HttpServerError: [400, "the body ended early"]
}

/** Converts the errors of a route to LFS error responses, and adds `LFS-Authenticate` to each 401. */
const answered = <E, R>(route: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  route.pipe(
    Effect.catch((failure: unknown) => {
      if (HttpServerResponse.isHttpServerResponse(failure)) return Effect.succeed(failure)
      const known = statuses[(failure as Tagged)._tag]
      return known === undefined ? Effect.die(failure) : Effect.succeed(json({ message: known[1] }, known[0]))
    }),
    Effect.map((response) =>
      response.status === 401
        ? HttpServerResponse.setHeader(response, "lfs-authenticate", `Basic realm="Slipway"`)
        : response
    )
  )

/** Layer with the routes of the git LFS API, below the URLs of repositories. */
export const lfsRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("POST", lfsPaths.batch, answered(batch))
    yield* router.add("GET", lfsPaths.object, answered(download))
    yield* router.add("PUT", lfsPaths.object, answered(upload))
    yield* router.add("POST", lfsPaths.verify, answered(verify))
    yield* router.add("GET", lfsPaths.locks, answered(list))
    yield* router.add("POST", lfsPaths.locks, answered(lock))
    yield* router.add("POST", lfsPaths.verifyLocks, answered(verifyLocks))
    yield* router.add("POST", lfsPaths.unlock, answered(unlock))
  })
)
