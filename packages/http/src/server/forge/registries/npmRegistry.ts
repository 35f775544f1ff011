import { signedInUser } from "@slipway/domain/forge/identity"
import { NpmPackages, Packages } from "@slipway/forge/registries"
import { Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { BodyNotJson, parseJson, textOf } from "../../wire/bodies.ts"
import { withBody } from "../../wire/readBody.ts"
import { withErrorKeys } from "../base/errorKeys.ts"
import { PublicUrl } from "../base/PublicUrl.ts"
import { recheckAuthorization } from "../entry/handle.ts"
import { authorizeAndAnswer, downloadOf, fileNamed } from "./packageRegistry.ts"

const base = "/api/packages/:username/npm"

/** The routes of the npm registry; scope and name of a package are one path segment, separated by `%2f`. */
export const npmPaths = {
  package: `${base}/:name`,
  revision: `${base}/:name/-rev/:rev`,
  file: `${base}/:name/-/:version/:file`,
  fileRevision: `${base}/:name/-/:version/:file/-rev/:rev`,
  whoami: `${base}/-/whoami`,
  ping: `${base}/-/ping`,
  tags: `${base}/-/package/:name/dist-tags`,
  tag: `${base}/-/package/:name/dist-tags/:tag`
} as const

/**
 * The maximum size of the body of `npm publish`, in bytes; it contains the package in base64 and is read into memory.
 */
const largest = 16 * 1024 * 1024

/** The `_rev` value of every package, which npm sends back with a deletion; constant, because versions never change. */
const revision = "1-0"

const Document = Schema.Record(Schema.String, Schema.Unknown)

/** The request body of `npm publish`: one version, its tags, and its tarball in base64. */
const Published = Schema.Struct({
  name: Schema.String,
  "dist-tags": Schema.Record(Schema.String, Schema.String),
  versions: Schema.Record(Schema.String, Document),
  _attachments: Schema.Record(Schema.String, Schema.Struct({ data: Schema.String }))
})

/** The request body of `npm deprecate`: the complete package document with messages, without attachments. */
const Deprecated = Schema.Struct({
  name: Schema.String,
  _attachments: Schema.optionalKey(Schema.Never),
  versions: Schema.Record(Schema.String, Schema.Struct({ deprecated: Schema.optionalKey(Schema.String) }))
})

const Sent = Schema.Union([Published, Deprecated])

const Dist = Schema.Struct({
  integrity: Schema.optionalKey(Schema.String),
  shasum: Schema.optionalKey(Schema.String)
})

/** Parses the digests in a version document: SHA-512 from `integrity`, SHA-1 from `shasum`. */
const digestsIn = (dist: unknown): NpmPackages.NpmPublication["digests"] => {
  const { integrity = "", shasum }: typeof Dist.Type = Option.getOrElse(
    Schema.decodeUnknownOption(Dist)(dist),
    () => ({})
  )
  const sha512 = /(?:^|\s)sha512-([A-Za-z0-9+/]+=*)/.exec(integrity)?.[1]
  return {
    ...(sha512 === undefined ? {} : { sha512: Buffer.from(sha512, "base64").toString("hex") }),
    ...(shasum === undefined ? {} : { sha1: shasum.toLowerCase() })
  }
}

const notNpms = () => new BodyNotJson({ sentence: "The body is not that of `npm publish` for one version." })

const bodyOf = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    withBody(request, largest, (bytes) => Effect.flatMap(Effect.flatMap(textOf(bytes), parseJson), decode)).pipe(
      Effect.catchTag("SchemaError", () => Effect.fail(notNpms()))
    )
  )
}

/**
 * Converts the body of `npm publish` to the input of the use case; undefined if it does not contain exactly one
 * version.
 */
const publicationIn = (name: string, sent: typeof Published.Type): NpmPackages.NpmPublication | undefined => {
  const [[version, document] = []] = Object.entries(sent.versions)
  const attachments = Object.entries(sent._attachments).filter(([file]) => file.endsWith(".tgz"))
  const [[, attachment] = []] = attachments
  const isOne = Object.keys(sent.versions).length === 1 && attachments.length === 1 && sent.name === name
  if (!isOne || version === undefined || document === undefined || attachment === undefined) return undefined
  const { dist, readme: _, ...rest } = document
  return {
    name,
    version,
    manifest: JSON.stringify({ ...rest, name, version }),
    tags: Object.keys(sent["dist-tags"]),
    tarball: Buffer.from(attachment.data, "base64"),
    digests: digestsIn(dist)
  }
}

const params = Effect.map(HttpRouter.RouteContext, ({ params: { name = "", tag = "", username = "" } }) => ({
  name,
  tag,
  username
}))

const publish = authorizeAndAnswer("package.npm.publish", (proof) =>
  Effect.gen(function* () {
    const { name } = yield* params
    const sent = yield* bodyOf(Sent)
    if (sent._attachments === undefined) {
      if (sent.name !== name || Object.keys(sent.versions).length === 0) return yield* notNpms()
      yield* recheckAuthorization({ proof })
      const messages = Object.entries(sent.versions).map(
        ([version, { deprecated = "" }]) => [version, deprecated] as const
      )
      yield* NpmPackages.deprecate(proof, name, new Map(messages))
      return HttpServerResponse.jsonUnsafe({ ok: true })
    }
    const publication = publicationIn(name, sent)
    if (publication === undefined) return yield* notNpms()
    // Permissions may have changed while the body arrived (invariant I7).
    yield* recheckAuthorization({ proof })
    yield* NpmPackages.publish(proof, publication)
    return HttpServerResponse.jsonUnsafe({ ok: true }, { status: 201 })
  })
)

const read = authorizeAndAnswer("package.npm.read", (proof) =>
  Effect.gen(function* () {
    const { name: asked } = yield* params
    const { name, published, tags } = yield* NpmPackages.read(proof, asked)
    const { rootUrl } = yield* PublicUrl
    const { owner } = proof.resource
    const address = `${rootUrl}/api/packages/${encodeURIComponent(owner.name)}/npm/${encodeURIComponent(name)}`
    const versions = published.map(({ file, manifest, version: { version } }) => [
      version,
      {
        ...(JSON.parse(manifest) as object),
        _id: `${name}@${version}`,
        dist: {
          tarball: `${address}/-/${encodeURIComponent(version)}/${encodeURIComponent(file.name)}`,
          shasum: file.sha1,
          integrity: `sha512-${Buffer.from(file.sha512, "hex").toString("base64")}`
        }
      }
    ])
    const times = published.map(({ version }) => version.createdAt).toSorted()
    const time = published.map(({ version }) => [version.version, version.createdAt])
    return HttpServerResponse.jsonUnsafe({
      _id: name,
      // It has no effect: npm sends it back with a deletion.
      _rev: revision,
      name,
      "dist-tags": tags,
      versions: Object.fromEntries(versions),
      time: { created: times[0], modified: times.at(-1), ...Object.fromEntries(time) }
    })
  })
)

const listTags = authorizeAndAnswer("package.npm.tag.list", (proof) =>
  Effect.gen(function* () {
    return HttpServerResponse.jsonUnsafe(yield* NpmPackages.tags(proof, (yield* params).name))
  })
)

const setTag = authorizeAndAnswer("package.npm.tag.set", (proof) =>
  Effect.gen(function* () {
    const { name, tag } = yield* params
    yield* NpmPackages.setTag(proof, name, tag, yield* bodyOf(Schema.String))
    return HttpServerResponse.jsonUnsafe({ ok: true }, { status: 201 })
  })
)

const removeTag = authorizeAndAnswer("package.npm.tag.delete", (proof) =>
  Effect.gen(function* () {
    const { name, tag } = yield* params
    yield* NpmPackages.removeTag(proof, name, tag)
    return HttpServerResponse.jsonUnsafe({ ok: true })
  })
)

const whoami = authorizeAndAnswer("package.npm.whoami", (proof) =>
  Effect.succeed(HttpServerResponse.jsonUnsafe({ username: signedInUser(proof.resource).name }))
)

/** Handles `npm ping`; succeeds for callers who may see the package owner. */
const ping = authorizeAndAnswer("package.npm.ping", () => Effect.succeed(HttpServerResponse.jsonUnsafe({})))

const gone = HttpServerResponse.jsonUnsafe({ ok: true })

/**
 * Accepts the list of remaining versions that `npm unpublish` sends first, and ignores it; a DELETE request follows.
 */
const announce = authorizeAndAnswer("package.npm.version.delete", () => Effect.succeed(gone))

const removeVersion = authorizeAndAnswer("package.npm.version.delete", (proof) =>
  Effect.gen(function* () {
    const { version, ...file } = yield* fileNamed("npm")
    yield* Packages.remove(proof, file, version)
    return gone
  })
)

const removeAll = authorizeAndAnswer("package.npm.delete", (proof) =>
  Effect.gen(function* () {
    const { name } = yield* params
    yield* Packages.removeAll(proof, { type: "npm", name })
    return gone
  })
)

/** Adds the key `error`, which npm prints, to error responses. */
const forNpm = <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.map(answer, (response) => withErrorKeys(response, (message) => ({ error: message })))

/** Layer with the routes of the npm registry. */
export const npmRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", npmPaths.package, forNpm(read))
    yield* router.add("PUT", npmPaths.package, forNpm(publish))
    yield* router.add("PUT", npmPaths.revision, forNpm(announce))
    yield* router.add("DELETE", npmPaths.revision, forNpm(removeAll))
    yield* router.add("GET", npmPaths.whoami, forNpm(whoami))
    yield* router.add("GET", npmPaths.ping, forNpm(ping))
    yield* router.add("DELETE", npmPaths.fileRevision, forNpm(removeVersion))
    yield* router.add("GET", npmPaths.file, forNpm(downloadOf("package.npm.download", "npm")))
    yield* router.add("GET", npmPaths.tags, forNpm(listTags))
    yield* router.add("PUT", npmPaths.tag, forNpm(setTag))
    yield* router.add("DELETE", npmPaths.tag, forNpm(removeTag))
  })
)
