import { createHash, createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { BucketAccess } from "@slipway/domain/deploy/infrastructure"
import { Effect, Redacted } from "effect"
import type { S3Place } from "../s3.ts"

/** The access key id that the test server accepts. */
export const keyId = "AKIASLIPWAYTEST"
/** The secret key of {@link keyId}. */
export const secret = "s3cret/with+odd=characters"

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
const sha = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex")
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)

/** Verifies AWS Signature Version 4 as its specification describes, independently of the client's code. */
const isSigned = (request: IncomingMessage, url: URL, body: Buffer): boolean => {
  const [, credential = "", signed = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? ""
    ) ?? []
  const [id, day = "", region = "", service = ""] = credential.split("/")
  const hash = String(request.headers["x-amz-content-sha256"])
  if (id !== keyId || (hash !== "UNSIGNED-PAYLOAD" && hash !== sha(body))) return false
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&")
  const headers = signed.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonical = [request.method, url.pathname, query, headers.join(""), signed, hash].join("\n")
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, sha(canonical)].join("\n")
  const key = [region, service, "aws4_request"].reduce(hmac, hmac(`AWS4${secret}`, day))
  return hmac(key, text).toString("hex") === signature
}

interface Upload {
  readonly key: string
  /** The start time of the upload, in milliseconds since 1970. */
  readonly initiated: number
  readonly parts: Map<number, Buffer>
}

/** The state of the test server, which tests read and change. */
export interface S3State {
  readonly objects: Map<string, { readonly body: Buffer; readonly at: Date }>
  readonly uploads: Map<string, Upload>
  /** The status codes of error responses that replace the next regular responses. */
  readonly refusals: Array<number>
  readonly requests: Array<string>
  /** Runs before each response, and may delay it. */
  before: (request: string) => Promise<void>
}

const xml = (name: string, inner: string) => `<?xml version="1.0" encoding="UTF-8"?><${name}>${inner}</${name}>`
const tag = (name: string, value: string | number | boolean) => `<${name}>${value}</${name}>`
const errorXml = (code: string) => xml("Error", tag("Code", code))

/** Maximum number of objects in one list response; it is small so that tests need several pages. */
const pageSize = 2

const listing = ({ objects }: S3State, query: URLSearchParams): string => {
  const after = query.get("continuation-token") ?? ""
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after).sort()
  const page = keys.slice(0, pageSize)
  const contents = page.map((key) =>
    tag(
      "Contents",
      tag("Key", key) +
        tag("Size", objects.get(key)?.body.length ?? 0) +
        tag("LastModified", objects.get(key)?.at.toISOString() ?? "")
    )
  )
  const isTruncated = keys.length > page.length
  const next = isTruncated ? tag("NextContinuationToken", page.at(-1) ?? "") : ""
  return xml("ListBucketResult", tag("IsTruncated", isTruncated) + contents.join("") + next)
}

const uploadsListing = ({ uploads }: S3State): string =>
  xml(
    "ListMultipartUploadsResult",
    [...uploads]
      .map(([id, { initiated, key }]) =>
        tag("Upload", tag("Key", key) + tag("UploadId", id) + tag("Initiated", new Date(initiated).toISOString()))
      )
      .join("")
  )

const answer = (state: S3State, request: IncomingMessage, url: URL, body: Buffer, response: ServerResponse) => {
  const send = (status: number, text: string | Buffer = "", headers: Record<string, string> = {}) =>
    response.writeHead(status, { "content-length": Buffer.byteLength(text), ...headers }).end(text)
  const query = url.searchParams
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split("/")
  const key = rest.join("/")
  const id = query.get("uploadId") ?? ""
  const upload = state.uploads.get(id)
  const refusal = state.refusals.shift()
  if (refusal !== undefined) return send(refusal, errorXml("Refused"))
  if (!isSigned(request, url, body)) return send(403, errorXml("SignatureDoesNotMatch"))
  if (bucket !== "bucket") return send(404, errorXml("NoSuchBucket"))
  if (key === "") return send(200, query.has("uploads") ? uploadsListing(state) : listing(state, query))
  if (request.method === "POST" && query.has("uploads")) {
    const uploadId = `upload-${state.requests.length}`
    state.uploads.set(uploadId, { key, initiated: Date.now(), parts: new Map() })
    return send(200, xml("InitiateMultipartUploadResult", tag("UploadId", uploadId)))
  }
  if (id !== "" && upload === undefined) return send(404, errorXml("NoSuchUpload"))
  if (upload !== undefined) {
    if (request.method === "PUT") {
      upload.parts.set(Number(query.get("partNumber")), body)
      return send(200, "", { etag: `"${sha(body)}"` })
    }
    state.uploads.delete(id)
    if (request.method === "DELETE") return send(204)
    const named = [...body.toString().matchAll(/<ETag>(?:&quot;|")([0-9a-f]+)(?:&quot;|")<\/ETag>/g)].map(([, e]) => e)
    const parts = [...upload.parts].sort(([one], [other]) => one - other).map(([, part]) => part)
    const isWhole = parts.every(
      (part, at) =>
        sha(part) === named[at] &&
        (at === parts.length - 1 || (part.length >= 5_242_880 && part.length === parts[0]?.length))
    )
    if (!isWhole || named.length !== parts.length) return send(400, errorXml("InvalidPart"))
    state.objects.set(key, { body: Buffer.concat(parts), at: new Date() })
    return send(200, xml("CompleteMultipartUploadResult", tag("Key", key)))
  }
  if (request.method === "PUT") {
    state.objects.set(key, { body, at: new Date() })
    return send(200, "", { etag: `"${sha(body)}"` })
  }
  if (request.method === "DELETE") {
    state.objects.delete(key)
    return send(204)
  }
  const found = state.objects.get(key)?.body
  if (found === undefined) return send(404, request.method === "HEAD" ? "" : errorXml("NoSuchKey"))
  if (request.method === "HEAD") return response.writeHead(200, { "content-length": found.length }).end()
  const [, first = "", last = ""] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? []
  if (first === "") return send(200, found)
  if (Number(first) >= found.length) return send(416, errorXml("InvalidRange"))
  return send(206, found.subarray(Number(first), last === "" ? undefined : Number(last) + 1))
}

/** Runs a test server that implements the S3 API and accepts only signed requests, until the scope closes. */
export const s3Server = Effect.gen(function* () {
  const state: S3State = { objects: new Map(), uploads: new Map(), refusals: [], requests: [], before: async () => {} }
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? "", "http://server")
    const line = `${request.method} ${url.pathname}`
    state.requests.push(line)
    await state.before(line)
    answer(state, request, url, Buffer.concat(chunks), response)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))),
    () =>
      Effect.promise(
        () =>
          new Promise<void>((done) => {
            server.close(() => done())
            server.closeAllConnections()
          })
      )
  )
  const place: S3Place = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "eu-north-7",
    bucket: "bucket",
    prefix: "forge/blobs/",
    bucketInHost: false,
    keyId,
    secret: Redacted.make(secret)
  }
  return { place, state }
})

/** Returns the connection settings and keys of a test server's bucket, for a client. */
export const accessOf = ({ bucket, endpoint, keyId: id, region, secret: key }: S3Place): BucketAccess => ({
  endpoint,
  region,
  bucket,
  accessKey: Redacted.make(id),
  secretKey: key
})
