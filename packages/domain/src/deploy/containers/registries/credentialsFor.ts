import type { RegistryCredentials } from "../engine/ContainerEngine.ts"

const dockerHub = "docker.io"

const placeOf = (host: string, path: ReadonlyArray<string>): string => {
  const name = host.toLowerCase()
  return [name === `index.${dockerHub}` ? dockerHub : name, ...path].join("/")
}

const place = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::[0-9]{1,5})?(?:\/[a-z0-9][a-z0-9._-]*)*$/

/**
 * Parses a key of a Docker credentials file as a registry, or as a namespace in a registry; undefined if invalid.
 *
 * `docker login` writes keys with a scheme, which are for the entire host; their path is ignored. `podman login` writes
 * keys without a scheme, which can have a namespace as their path.
 *
 * ```ts
 * import { registryOf } from "./credentialsFor.ts"
 *
 * registryOf("ghcr.io") // => "ghcr.io"
 * registryOf("https://registry.example:5000/v1/") // => "registry.example:5000"
 * registryOf("registry.example/team") // => "registry.example/team"
 * registryOf("https://index.docker.io/v1/") // => "docker.io"
 * registryOf("user:password@registry.example") // => undefined
 * ```
 */
export const registryOf = (key: string): string | undefined => {
  const [, scheme, rest = ""] = /^(https?:\/\/)?(.*)$/is.exec(key) ?? []
  const [host = "", ...path] = rest.replace(/\/+$/, "").split("/")
  const isWhole = scheme !== undefined || (path.length === 1 && /^v[12]$/.test(path[0] ?? ""))
  const named = placeOf(host, isWhole ? [] : path)
  return place.test(named) ? named : undefined
}

/**
 * Adds the default registry and namespace to an image reference, as container engines do.
 *
 * ```ts
 * import { fullName } from "./credentialsFor.ts"
 *
 * fullName("nginx") // => "docker.io/library/nginx"
 * fullName("team/app:1") // => "docker.io/team/app:1"
 * fullName("index.docker.io/nginx") // => "docker.io/library/nginx"
 * fullName("localhost:5000/app") // => "localhost:5000/app"
 * fullName("GHCR.io/a/b@sha256:00") // => "ghcr.io/a/b@sha256:00"
 * ```
 */
export const fullName = (reference: string): string => {
  const [first = "", ...others] = reference.split("/")
  // The first part is a host if it cannot be part of a path, or is `localhost`.
  const isHost = others.length > 0 && (/[.:A-Z]/.test(first) || first === "localhost")
  const path = isHost ? others : [first, ...others]
  const host = placeOf(isHost ? first : dockerHub, [])
  return placeOf(host, host === dockerHub && path.length === 1 ? ["library", ...path] : path)
}

/** Returns the host of an image's registry. */
export const registryHost = (reference: string): string => fullName(reference).split("/")[0] ?? ""

/**
 * Returns the name of an image without tag and digest.
 *
 * A colon after the last slash begins the tag; a colon before it belongs to the port of the registry.
 */
const repositoryOf = (reference: string): string =>
  fullName(reference)
    .replace(/@.*$/s, "")
    .replace(/:[^:/]*$/, "")

/**
 * Returns the credentials for an image: the entry with the longest registry or namespace that contains the image.
 *
 * Only whole parts of the name match, so `registry.example/team` is not used for `registry.example/team2` (invariant
 * I15: secrets go only to their recipient).
 */
export const credentialsFor = (
  all: ReadonlyArray<RegistryCredentials>,
  reference: string
): RegistryCredentials | undefined => {
  const repository = `${repositoryOf(reference)}/`
  return all
    .filter(({ registry }) => repository.startsWith(`${registry}/`))
    .toSorted((one, other) => other.registry.length - one.registry.length)[0]
}
