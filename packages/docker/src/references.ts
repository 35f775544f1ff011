/**
 * Converts an image reference to the short form that Docker shows. Podman always includes the registry: `docker.io` for
 * images of Docker Hub, and `localhost` for images that were never pulled.
 *
 * ```ts
 * import { plainReference } from "./references.ts"
 *
 * plainReference("docker.io/library/nginx:alpine") // => "nginx:alpine"
 * plainReference("docker.io/slipway/app:1") // => "slipway/app:1"
 * plainReference("localhost/app:1") // => "app:1"
 * plainReference("registry.example:5000/app:1") // => "registry.example:5000/app:1"
 * ```
 */
export const plainReference = (reference: string): string =>
  reference.replace(/^(?:docker\.io\/(?:library\/)?|localhost\/)/, "")

/**
 * Splits an image reference for a pull request into the repository and the tag or digest.
 *
 * ```ts
 * import { splitReference } from "./references.ts"
 *
 * splitReference("registry.example:5000/app") // => ["registry.example:5000/app", "latest"]
 * splitReference("app:1.2") // => ["app", "1.2"]
 * splitReference("app:1.2@sha256:00") // => ["app", "sha256:00"]
 * ```
 */
export const splitReference = (reference: string): readonly [repository: string, version: string] => {
  const [named = "", digest] = reference.split("@")
  const match = /^(.*?)(?::([^/:]+))?$/.exec(named)
  return [match?.[1] ?? named, digest ?? match?.[2] ?? "latest"]
}

/** Returns the id of an image with the prefix `sha256:`, which Podman omits. */
export const wholeId = (id: string): string => (id.startsWith("sha256:") ? id : `sha256:${id}`)
