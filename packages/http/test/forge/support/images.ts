import { createHash } from "node:crypto"
import { manifestTypes } from "@slipway/forge/registries"
import { Effect } from "effect"
import { basic, type Sent, type Service } from "./harness.ts"

/** Returns the digest of a text, in the format of container registries. */
export const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`

export const as = (name: string) => ({ headers: basic(name) })
export const ann = as("ann")
export const images = "/v2/ann/tools/lamp"

/** Sends a request, and returns its status with the error code, if any. */
export const outcome = (api: Service, method: string, path: string, sent: Sent = {}) =>
  Effect.map(api.fetch(method, path, sent), ({ json, status }) =>
    json?.errors === undefined ? String(status) : `${status} ${json.errors[0].code}`
  )

/** Uploads a blob as a whole. */
export const putBlob = (
  api: Service,
  text: string,
  { base = images, who = ann }: { base?: string; who?: object } = {}
) => outcome(api, "POST", `${base}/blobs/uploads/?digest=${digestOf(text)}`, { ...who, raw: text })

/** Returns the descriptor of a text. */
export const descriptorOf = (text: string, mediaType: string) => ({
  mediaType,
  digest: digestOf(text),
  size: text.length
})

const layer = "application/vnd.oci.image.layer.v1.tar+gzip"
const config = "application/vnd.oci.image.config.v1+json"

/** Returns the manifest of an image with a configuration and layers. */
export const manifestOf = (layers: ReadonlyArray<string>, more: object = {}): string =>
  JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestTypes.image,
    config: descriptorOf("{}", config),
    layers: layers.map((each) => descriptorOf(each, layer)),
    ...more
  })

/** Publishes a manifest under a reference. */
export const putManifest = (
  api: Service,
  reference: string,
  manifest: string,
  {
    base = images,
    type = manifestTypes.image,
    who = ann
  }: { base?: string; type?: string; who?: { headers?: object } } = {}
) =>
  outcome(api, "PUT", `${base}/manifests/${reference}`, {
    headers: { ...who.headers, "content-type": type },
    raw: manifest
  })

/** Pushes an image with the given layers under a tag, and returns its manifest. */
export const push = Effect.fnUntraced(function* (
  api: Service,
  tag: string,
  layers: ReadonlyArray<string>,
  how: { base?: string; who?: { headers?: object } } = {}
) {
  for (const each of ["{}", ...layers]) yield* putBlob(api, each, how)
  const manifest = manifestOf(layers)
  const status = yield* putManifest(api, tag, manifest, how)
  if (status !== "201") return yield* Effect.die(new Error(`${tag} was answered ${status}`))
  return manifest
})

/** Requests a ticket, and returns its status with the header that contains it. */
export const ticketFor = (api: Service, scopes: ReadonlyArray<string>, sent: Sent = {}) =>
  Effect.map(
    api.fetch("GET", `/v2/token?${new URLSearchParams(scopes.map((scope) => ["scope", scope]))}`, sent),
    ({ json, status }) => ({ status, headers: { authorization: `Bearer ${json?.token ?? ""}` } })
  )

/** Returns the package versions at a path of the API, or the status of the error. */
export const versionsIn = (api: Service, path: string, who: Sent = ann) =>
  Effect.map(api.send("GET", path, who), ({ json, status }) =>
    status === 200 ? json.map(({ name, version }: Record<string, string>) => `${name} ${version}`) : status
  )
