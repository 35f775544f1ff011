import { CheckoutFailed, type LfsPointer, lfsServerOf, type OpenedRepository } from "@slipway/domain/deploy/apps"
import { Effect, Schema, Stream } from "effect"
import { HttpClientRequest } from "effect/http"
import type { Account, OutboundConnections } from "../remote/http.ts"
import { askBySsh, type Keys } from "./relay.ts"
import { accountOf } from "./transport.ts"

/** A repository with an LFS server. */
export interface Remote extends OpenedRepository {
  readonly out: { readonly egress: OutboundConnections; readonly keys: Keys }
}

/** An LFS server with its endpoint. */
export interface LfsServer {
  readonly download: (pointer: LfsPointer) => Stream.Stream<Uint8Array, CheckoutFailed>
}

type Headers = Readonly<Record<string, string>>

const mediaType = "application/vnd.git-lfs+json"
/** Maximum number of files per request, as in other clients of the protocol. */
const perBatch = 100
const largestAnswer = 64 * 1_024

const Header = Schema.Record(Schema.String, Schema.String)
const Link = Schema.Struct({ href: Schema.String, header: Schema.optionalKey(Schema.NullOr(Header)) })
const Answer = Schema.Struct({
  objects: Schema.Array(
    Schema.Struct({
      oid: Schema.String,
      actions: Schema.optionalKey(Schema.NullOr(Schema.Struct({ download: Schema.optionalKey(Schema.NullOr(Link)) }))),
      error: Schema.optionalKey(Schema.NullOr(Schema.Struct({ message: Schema.optionalKey(Schema.String) })))
    })
  )
})
const readAnswer = Schema.decodeUnknownEffect(Schema.fromJsonString(Answer))
const readLink = Schema.decodeUnknownEffect(Schema.fromJsonString(Link))

const failing = (because: string) => Effect.fail(new CheckoutFailed({ because }))
const other = () => new CheckoutFailed({ because: "its server answers something else" })

/** The headers that an LFS server must not set for a download: they control the connection or the target host. */
const reservedHeaders = new Set([
  "connection",
  "content-length",
  "host",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const sendable = (headers: Headers | null | undefined): Headers =>
  Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, value]) => {
      const lower = name.toLowerCase()
      return /^[a-z0-9-]+$/.test(lower) && !reservedHeaders.has(lower) && /^[\t\x20-\x7e]*$/.test(value)
        ? [[lower, value]]
        : []
    })
  )

const basic = ({ password, username }: Account): Headers => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`
})

/**
 * Returns URL and credentials of the LFS server of a repository.
 *
 * For an SSH address, the command `git-lfs-authenticate` on the git host returns both.
 */
const serverOf = Effect.fnUntraced(function* ({ access, address, out }: Remote) {
  if (address._tag === "Http") {
    const account = accountOf(address, access)
    return { url: lfsServerOf(address.url), headers: account === undefined ? {} : basic(account) }
  }
  if (access._tag !== "Key") return yield* failing("an SSH address needs a private key, and none is set")
  const said = yield* askBySsh(
    { address, egress: out.egress, keys: out.keys, privateKey: access.privateKey },
    ["git-lfs-authenticate", address.path, "download"],
    largestAnswer
  )
  const { header, href } = yield* Effect.mapError(readLink(said), other)
  return { url: href.replace(/\/+$/, ""), headers: sendable(header) }
})

const meanings: Readonly<Record<number, string>> = {
  401: "its server requires credentials",
  403: "its server rejects these credentials",
  404: "there is no LFS server at the repository's address"
}

/**
 * Opens the LFS server of a repository. The server returns the URL of each file; the egress rule applies to these URLs
 * too (invariant I14).
 */
export const openLfs = Effect.fnUntraced(function* (remote: Remote, wanted: ReadonlyArray<LfsPointer>) {
  const { egress } = remote.out
  const { headers, url } = yield* serverOf(remote)
  const ask = Effect.fnUntraced(function* (objects: ReadonlyArray<LfsPointer>) {
    const body = JSON.stringify({ operation: "download", transfers: ["basic"], objects, hash_algo: "sha256" })
    const request = HttpClientRequest.post(`${url}/objects/batch`).pipe(
      HttpClientRequest.bodyText(body, mediaType),
      HttpClientRequest.setHeaders({ ...headers, accept: mediaType, "user-agent": "git-lfs/3.0" })
    )
    const answer = yield* Effect.mapError(egress.ask(request), ({ because }) => new CheckoutFailed({ because }))
    if (answer.status !== 200) {
      return yield* failing(meanings[answer.status] ?? `its server answers with the status ${answer.status}`)
    }
    return (yield* Effect.mapError(readAnswer(answer.body), other)).objects
  })
  const batches = Array.from({ length: Math.ceil(wanted.length / perBatch) }, (_, n) =>
    wanted.slice(n * perBatch, (n + 1) * perBatch)
  )
  const links = new Map<string, typeof Link.Type>()
  for (const { actions, oid } of (yield* Effect.forEach(batches, ask)).flat()) {
    if (actions?.download) links.set(oid, actions.download)
  }
  const download = ({ oid }: LfsPointer) => {
    const link = links.get(oid)
    if (link === undefined) return Stream.fail(new CheckoutFailed({ because: `its server has no ${oid}` }))
    const linkHeaders = sendable(link.header)
    const isOwn = URL.canParse(link.href) && new URL(link.href).origin === new URL(url).origin
    // If the server returns no credentials, its own host gets those of the request.
    const shown = isOwn && linkHeaders.authorization === undefined ? { ...headers, ...linkHeaders } : linkHeaders
    return Stream.mapError(
      egress.download(HttpClientRequest.get(link.href, { headers: shown })),
      ({ because }) => new CheckoutFailed({ because })
    )
  }
  return { download } satisfies LfsServer
})
