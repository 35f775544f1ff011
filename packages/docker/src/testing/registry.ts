import { createHash } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { Effect, type Scope } from "effect"
import { tarOf } from "./tar.ts"

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

const manifestType = "application/vnd.docker.distribution.manifest.v2+json"

/** The single image that a test registry contains. */
export interface PublishedImage {
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly command: ReadonlyArray<string>
  readonly port: number
}

/** An image registry for a single test, which requires a user name and a password. */
export interface PasswordRegistry {
  /** The address of the registry as it occurs in image names. */
  readonly address: string
  readonly username: string
  readonly password: string
  /** The digest of the registry's only image. */
  readonly digest: string
  /** The reference of the image under its name `team/app:1`; the same image is also published as `team/base:1`. */
  readonly reference: string
}

const smallImage: PublishedImage = { files: { "etc/motd": "hello" }, command: [], port: 3000 }
const username = "user"
const password = "pass word"

/**
 * Starts an image registry that requires a password and contains one image, published as `team/app:1` and
 * `team/base:1`.
 */
export const startRegistry = Effect.fnUntraced(function* ({
  command,
  files,
  port
}: PublishedImage = smallImage): Effect.fn.Return<PasswordRegistry, never, Scope.Scope> {
  const tar = tarOf(files)
  const layer = gzipSync(tar)
  const config = json({
    architecture: "amd64",
    os: "linux",
    config: { ExposedPorts: { [`${port}/tcp`]: {} }, Cmd: command },
    history: [{ created_by: "test" }],
    rootfs: { type: "layers", diff_ids: [digestOf(tar)] }
  })
  const manifest = json({
    schemaVersion: 2,
    mediaType: manifestType,
    config: {
      mediaType: "application/vnd.docker.container.image.v1+json",
      size: config.length,
      digest: digestOf(config)
    },
    layers: [
      {
        mediaType: "application/vnd.docker.image.rootfs.diff.tar.gzip",
        size: layer.length,
        digest: digestOf(layer)
      }
    ]
  })
  const blobs = new Map<string, Uint8Array>([layer, config].map((blob) => [digestOf(blob), blob]))
  const uploads = new Map<string, Buffer>()
  const pushed = new Map<string, { readonly body: Buffer; readonly type: string }>()
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => {
        const answer = (status: number, body: Uint8Array, headers = {}) => {
          response.writeHead(status, {
            "docker-distribution-api-version": "registry/2.0",
            "content-length": body.length,
            ...headers
          })
          response.end(request.method === "HEAD" ? undefined : body)
        }
        const url = request.url ?? ""
        if (request.headers.authorization !== authorization) {
          return answer(401, json({ errors: [{ code: "UNAUTHORIZED", message: "authentication required" }] }), {
            "www-authenticate": 'Basic realm="test"'
          })
        }
        if (url === "/v2/") return answer(200, json({}))
        const { pathname, searchParams } = new URL(url, "http://registry")
        const isUpload = pathname.includes("/blobs/uploads/")
        if (isUpload || request.method === "PUT") {
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => chunks.push(chunk))
          request.on("end", () => {
            const body = Buffer.concat(chunks)
            if (!isUpload) {
              const manifest = { body, type: request.headers["content-type"] ?? manifestType }
              pushed.set(pathname, manifest)
              pushed.set(pathname.replace(/[^/]*$/, digestOf(body)), manifest)
              return answer(201, json({}), { location: pathname, "docker-content-digest": digestOf(body) })
            }
            const location = request.method === "POST" ? `${pathname}${uploads.size + 1}` : pathname
            const all = Buffer.concat([uploads.get(location) ?? Buffer.alloc(0), body])
            uploads.set(location, all)
            const digest = searchParams.get("digest")
            if (digest === null) return answer(202, Buffer.alloc(0), { location, range: `0-${all.length - 1}` })
            blobs.set(digest, all)
            return answer(201, Buffer.alloc(0), { location, "docker-content-digest": digest })
          })
          return
        }
        const own = pushed.get(pathname)
        if (own !== undefined) {
          return answer(200, own.body, { "content-type": own.type, "docker-content-digest": digestOf(own.body) })
        }
        const named = url.replace(/^\/v2\/team\/(?:app|base|pushed)\//, "")
        if ((named === "manifests/1" && !url.includes("/pushed/")) || named === `manifests/${digestOf(manifest)}`) {
          return answer(200, manifest, { "content-type": manifestType, "docker-content-digest": digestOf(manifest) })
        }
        const blob = blobs.get(named.replace("blobs/", ""))
        return blob === undefined
          ? answer(404, json({ errors: [{ code: "MANIFEST_UNKNOWN", message: "manifest unknown" }] }))
          : answer(200, blob, { "content-type": "application/octet-stream" })
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { address, username, password, digest: digestOf(manifest), reference: `${address}/team/app:1` }
})
