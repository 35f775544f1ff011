import { Lfs, type LfsLock, LfsOid, type Proof } from "@slipway/domain/forge"
import { Effect, Schema, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PublicUrl } from "../PublicUrl.ts"
import { gitHeaders } from "./answers.ts"
import { enterGit } from "./entering.ts"
import { LongestSilence } from "./LongestSilence.ts"

const contentType = "application/vnd.git-lfs+json"

const base = "/:owner/:repository/info/lfs"

/** The paths of LFS, below the one of a repository. */
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

const failed = (status: number, message: string) => Effect.fail(json({ message }, status))

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

const bodyOf = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    request.json.pipe(
      Effect.flatMap(decode),
      Effect.catch(() => failed(422, "the request is not what LFS sends"))
    )
  )
}

/** Returns the number that a text is; one that nothing has, when it is none. */
const numberIn = (text: string | undefined): number => (/^[1-9]\d{0,15}$/.test(text ?? "") ? Number(text) : 0)

const params = Effect.map(HttpRouter.RouteContext, (route) => route.params)
const pathOf = Effect.map(params, ({ owner = "", repository = "" }) => `/${owner}/${repository}`)

const oidOf = Effect.flatMap(params, ({ oid }) =>
  Effect.catch(Schema.decodeUnknownEffect(LfsOid)(oid), () => failed(422, "this is the name of no object"))
)

/** Where this repository is reached, as the client reaches it unless the service has an address of its own. */
const addressOf = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { rootUrl } = yield* PublicUrl
  const root = rootUrl === "" ? `http://${headers.host ?? "localhost"}` : rootUrl
  return `${root}${yield* pathOf}/info/lfs`
})

/** What goes along with the addresses that are given: a ticket, which nobody but its holder knows to send again. */
const headerOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  /^Bearer lfs-/i.test(headers.authorization ?? "") ? { Authorization: headers.authorization } : {}
)

const batch = Effect.gen(function* () {
  const path = yield* pathOf
  // Who may do nothing here learns nothing of the body either.
  const { proof: reading } = yield* enterGit("git.lfs.read", path)
  const { hash_algo = "sha256", objects, operation, transfers = ["basic"] } = yield* bodyOf(Batch)
  if (hash_algo !== "sha256") return yield* failed(409, "objects are named by SHA-256 here")
  if (!transfers.includes("basic")) return yield* failed(422, "objects are sent by `basic` here")
  if (objects.length > Lfs.mostInBatch) return yield* failed(413, "one batch names too many objects")
  const proof: Proof<"git.lfs.read"> | Proof<"git.lfs.write"> =
    operation === "upload" ? (yield* enterGit("git.lfs.write", path)).proof : reading
  const oids = objects.map(({ oid }) => oid)
  const linked = yield* Lfs.linked(proof, oids)
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
          : { oid, size, error: { code: 404, message: "this repository has no such object" } }
      }
      return isThere
        ? { oid, size }
        : { oid, size, actions: { upload: to(oid), verify: { href: `${address}/verify`, header } } }
    })
  })
})

const download = Effect.gen(function* () {
  const { proof } = yield* enterGit("git.lfs.read", yield* pathOf)
  const { bytes, size } = yield* Lfs.read(proof, yield* oidOf)
  return HttpServerResponse.stream(bytes, {
    contentType: "application/octet-stream",
    contentLength: size,
    headers: gitHeaders
  })
})

const upload = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { proof } = yield* enterGit("git.lfs.write", yield* pathOf)
  const oid = yield* oidOf
  // What breaks off is not what its name says, and nothing is kept.
  yield* Lfs.put(proof, oid, Stream.timeout(request.stream, yield* LongestSilence))
  return HttpServerResponse.empty({ status: 200, headers: gitHeaders })
})

const verify = Effect.gen(function* () {
  const { proof } = yield* enterGit("git.lfs.write", yield* pathOf)
  const { oid, size } = yield* bodyOf(ObjectName)
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
  const { proof } = yield* enterGit("git.lfs.read", yield* pathOf)
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
  const { proof } = yield* enterGit("git.lfs.write", yield* pathOf)
  const { path } = yield* bodyOf(NewLock)
  return yield* Lfs.lock(proof, path).pipe(
    Effect.map((made) => json({ lock: showLock(made) }, 201)),
    Effect.catchTag("LfsPathLocked", () =>
      Effect.map(Lfs.lockOf(proof, { path }), (found) =>
        json({ ...(found === undefined ? {} : { lock: showLock(found) }), message: "the path is locked already" }, 409)
      )
    )
  )
})

const verifyLocks = Effect.gen(function* () {
  const { proof } = yield* enterGit("git.lfs.write", yield* pathOf)
  const { cursor } = yield* bodyOf(Listing)
  const page = pageOf(cursor)
  const { next, rows } = yield* Lfs.locks(proof, page)
  return json({
    ours: rows.filter((each) => Lfs.isOwn(proof, each)).map(showLock),
    theirs: rows.filter((each) => !Lfs.isOwn(proof, each)).map(showLock),
    ...nextOf(next)
  })
})

const unlock = Effect.gen(function* () {
  const { proof } = yield* enterGit("git.lfs.write", yield* pathOf)
  const { force } = yield* bodyOf(Unlock)
  const { id } = yield* params
  return json({ lock: showLock(yield* Lfs.unlock(proof, numberIn(id), force === true)) })
})

interface Tagged {
  readonly _tag: string
}

const statuses: Readonly<Record<string, readonly [number, string]>> = {
  LfsObjectNotFound: [404, "this repository has no such object"],
  LfsLockNotFound: [404, "this repository has no such lock"],
  LfsLockOfAnother: [403, "the lock is somebody else's"],
  LfsPathInvalid: [422, "this is no path of a repository"],
  BlobMismatch: [422, "the bytes are not those that the name says"],
  BlobTooLarge: [413, "the object is too large"],
  HttpServerError: [400, "the body broke off"]
}

/** Answers failures as LFS reads them, and adds to what asks for a sign-in the header that LFS looks for. */
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

/** Serves large files by the API of LFS, at the addresses of repositories. */
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
