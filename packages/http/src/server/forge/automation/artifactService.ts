import { type Artifact, ArtifactLinks, tokenIn } from "@slipway/domain/forge/automation"
import { SiteSettings } from "@slipway/domain/forge/base"
import { Artifacts, ArtifactUploads, type JobAtWork, jobAtWork } from "@slipway/forge/automation"
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Instant, optionalNullable } from "../../../api/forge/base/schemas.ts"
import { parseJson, textOf } from "../../wire/bodies.ts"
import { withBody } from "../../wire/readBody.ts"
import { answerWithPublicUrl, PublicUrl } from "../base/PublicUrl.ts"
import { readOptionalTime } from "../base/queries.ts"
import { sentBytes } from "../base/sentBytes.ts"
import { serve } from "../code/downloads.ts"
import { queryIn } from "../entry/guard.ts"

const base = "/twirp/github.actions.results.api.v1.ArtifactService"

/** The paths at which jobs upload artifacts and download them. */
export const artifactPaths = {
  method: `${base}/:method`,
  upload: `${base}/UploadArtifact`,
  download: `${base}/DownloadArtifact`
} as const

const largestCall = 65_536
/** The maximum size of the XML list of upload parts, in bytes: enough for the maximum number of parts. */
const largestList = 2 * 1_048_576
const megabyte = 1_048_576

/** Makes an error response in the format of Twirp, the RPC protocol of the artifact service. */
const failed = (status: number, code: string, msg: string) => HttpServerResponse.jsonUnsafe({ code, msg }, { status })

const count = Schema.Union([Schema.Int, Schema.String.check(Schema.isPattern(/^\d{1,15}$/))])

/** The fields of all RPC requests; each method reads only its own fields. */
const Call = Schema.Struct({
  name: optionalNullable(Schema.String),
  mime_type: optionalNullable(Schema.String),
  expires_at: optionalNullable(Instant),
  size: optionalNullable(count),
  hash: optionalNullable(Schema.String),
  name_filter: optionalNullable(Schema.String),
  id_filter: optionalNullable(count),
  workflow_run_backend_id: optionalNullable(Schema.String)
})
type Call = typeof Call.Type

const snake = (name: string): string => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/** Renames the fields of a message from camel case, which clients may send, to snake case. */
const declared = (message: unknown): unknown =>
  typeof message === "object" && message !== null && !Array.isArray(message)
    ? Object.fromEntries(Object.entries(message).map(([name, value]) => [snake(name), value]))
    : message

const decodeCall = Schema.decodeUnknownEffect(Call)

const callOf = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  withBody(request, largestCall, (bytes) =>
    Effect.flatMap(Effect.flatMap(textOf(bytes), parseJson), (message) => decodeCall(declared(message)))
  )
)

const required = <A extends number | string>(value: A | null | undefined, name: string) =>
  value === null || value === undefined
    ? Effect.fail(failed(400, "invalid_argument", `${name} is required`))
    : Effect.succeed(value)

/** Returns the URL of a signed link for uploads or downloads. */
const addressOf = (path: string, signature: string) =>
  Effect.map(PublicUrl, ({ rootUrl }) => `${rootUrl}${path}?sig=${signature}`)

const shown = (job: JobAtWork, { createdAt, id, name, sha256, size }: Artifact) => ({
  workflow_run_backend_id: String(job.runId),
  workflow_job_run_backend_id: String(job.jobId),
  database_id: String(id),
  name,
  size: String(size),
  created_at: createdAt,
  digest: `sha256:${sha256}`
})

const methods = [
  "CreateArtifact",
  "FinalizeArtifact",
  "ListArtifacts",
  "GetSignedArtifactURL",
  "DeleteArtifact"
] as const
type Method = (typeof methods)[number]

const isMethod = (name: string): name is Method => methods.some((method) => method === name)

const ok = (id: number) => ({ ok: true, artifact_id: String(id) })

/** Runs an RPC method, and returns the response message. */
const done = Effect.fnUntraced(function* (method: Method, job: JobAtWork, call: Call) {
  if (method === "ListArtifacts") {
    const rows = yield* ArtifactUploads.list(job, call.name_filter ?? undefined)
    const id = call.id_filter ?? undefined
    const found = rows.filter((row) => id === undefined || row.id === Number(id))
    return { artifacts: found.map((row) => shown(job, row)) }
  }
  const name = yield* required(call.name, "name")
  switch (method) {
    case "CreateArtifact": {
      const [expiresAt, type] = [readOptionalTime(call.expires_at ?? undefined), call.mime_type ?? undefined]
      const signature = yield* ArtifactUploads.begin(job, name, { expiresAt, type })
      return { ok: true, signed_upload_url: yield* addressOf(artifactPaths.upload, signature) }
    }
    case "FinalizeArtifact": {
      const size = Number(yield* required(call.size, "size"))
      const sha256 = /^sha256:([0-9a-f]{64})$/i.exec(call.hash ?? "")?.[1]?.toLowerCase()
      return ok((yield* ArtifactUploads.finish(job, { name, size, sha256 })).id)
    }
    case "GetSignedArtifactURL":
      return { signed_url: yield* addressOf(artifactPaths.download, yield* ArtifactUploads.link(job, name)) }
    case "DeleteArtifact":
      return ok((yield* ArtifactUploads.remove(job, name)).id)
  }
})

/** Finds the running job by the bearer token of the request; fails with 401 otherwise. */
const calling = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const sent = /^Bearer (\S{1,4000})$/i.exec(headers.authorization ?? "")?.[1]
  const job = sent === undefined ? undefined : yield* jobAtWork(tokenIn(sent))
  return job ?? (yield* Effect.fail(failed(401, "unauthenticated", "the token does not belong to a running job")))
})

const call = Effect.gen(function* () {
  const { method = "" } = (yield* HttpRouter.RouteContext).params
  if (!isMethod(method)) return failed(404, "bad_route", "unknown method")
  const job = yield* calling
  const sent = yield* callOf
  const run = sent.workflow_run_backend_id ?? String(job.runId)
  // Artifacts of other runs are available in the API.
  if (run !== String(job.runId)) return failed(404, "not_found", "the run does not exist")
  return HttpServerResponse.jsonUnsafe(yield* done(method, job, sent))
})

interface Failure {
  readonly _tag: string
  readonly name?: string
  readonly problem?: string
  readonly most?: number
  readonly of?: string
}

/** The error responses to RPC requests and uploads, by the domain error. */
const refusals: Readonly<
  Record<string, readonly [status: number, code: string, say: string | ((error: Failure) => string)]>
> = {
  ArtifactNotFound: [404, "not_found", "the artifact does not exist"],
  ArtifactExists: [409, "already_exists", ({ name }) => `the run already has an artifact \`${name}\``],
  ArtifactRefused: [400, "invalid_argument", ({ problem = "" }) => problem],
  ArtifactsFull: [403, "resource_exhausted", ({ most, of }) => `at most ${most} ${of} are allowed`],
  BlobTooLarge: [413, "resource_exhausted", "the artifact is too large"],
  BlobMismatch: [400, "invalid_argument", "the bytes do not match the hash"],
  BodyTooLarge: [413, "resource_exhausted", "the body is too large"],
  BodyTooSlow: [408, "deadline_exceeded", "the body arrived too slowly"],
  BodiesFull: [503, "unavailable", "too many bodies are being read concurrently"],
  BodyNotJson: [400, "malformed", "the body could not be read"],
  GitOverloaded: [503, "unavailable", "too many bodies are being read concurrently"],
  SchemaError: [400, "malformed", "the body is not a valid message of this method"]
}

/** Verifies the signed link of a request; fails with 403 if it is invalid or expired. */
const linkFor = (use: "download" | "upload") =>
  Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const query = queryIn(url)
    const link = yield* ArtifactLinks.openLink(use, query.get("sig"))
    if (link !== undefined) return { link, query }
    return yield* Effect.fail(failed(403, "permission_denied", "the link is not valid or has expired"))
  })

const names = /<(Latest|Committed|Uncommitted)>\s*([A-Za-z0-9+/=_-]{1,200})\s*<\/\1>/g

/** Parses the XML list of uploaded parts, and returns their names in order. */
const namesIn = (xml: string): ReadonlyArray<string> => [...xml.matchAll(names)].map(([, , name = ""]) => name)

const taken = Effect.succeed(HttpServerResponse.empty({ status: 201 }))

/**
 * Receives an artifact by the upload protocol of Azure Blob Storage.
 *
 * The client sends named parts (blocks) followed by their list, or consecutive parts, or the whole file.
 */
const upload = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { link, query } = yield* linkFor("upload")
  const part = query.get("comp")?.toLowerCase()
  if (part === "blocklist") {
    const listed = yield* withBody(request, largestList, textOf)
    yield* ArtifactUploads.order(link, namesIn(listed))
    return yield* taken
  }
  const { artifacts } = yield* SiteSettings
  const bytes = yield* sentBytes(artifacts.maxSize * megabyte)
  if (part === "appendblock") yield* ArtifactUploads.putBlock(link, undefined, bytes)
  else if (part === "block") {
    // An unencoded plus is read as a space.
    const name = (yield* required(query.get("blockid"), "blockid")).replaceAll(" ", "+")
    if (!/^[A-Za-z0-9+/=_-]{1,200}$/.test(name)) return failed(400, "invalid_argument", "blockid is not valid")
    yield* ArtifactUploads.putBlock(link, name, bytes)
  } else yield* ArtifactUploads.putWhole(link, bytes)
  return yield* taken
})

const download = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { link } = yield* linkFor("download")
  return yield* serve(request, yield* Artifacts.downloadOf(link))
})

const answered = <R>(route: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, R>) =>
  answerWithPublicUrl(
    Effect.catch(route, (failure) => {
      if (HttpServerResponse.isHttpServerResponse(failure)) return Effect.succeed(failure)
      const error = failure as Failure
      const known = refusals[error._tag]
      if (known === undefined) return Effect.die(failure)
      const [status, code, say] = known
      return Effect.succeed(failed(status, code, typeof say === "string" ? say : say(error)))
    })
  )

/** Layer with the routes by which workflow jobs upload and download artifacts, as GitHub's artifact actions do. */
export const artifactRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("PUT", artifactPaths.upload, answered(upload))
    yield* router.add("GET", artifactPaths.download, answered(download))
    yield* router.add("POST", artifactPaths.method, answered(call))
  })
)
