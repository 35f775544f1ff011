import type { RegistryCredentials } from "@slipway/domain/deploy/containers"
import { Redacted } from "effect"
import type { Api } from "./client.ts"

const base64Url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64").replaceAll("+", "-").replaceAll("/", "_")

/** Returns the HTTP header with the credentials of one registry. */
export const authorizationOf = ({
  password,
  registry,
  username
}: RegistryCredentials): Readonly<Record<string, string>> => ({
  "x-registry-auth": base64Url({ username, password: Redacted.value(password), serveraddress: registry.split("/")[0] })
})

/** The name that identifies Docker Hub in stored credentials. */
const dockerHub = "https://index.docker.io/v1/"

/** The header of a request without credentials; Docker requires the header for every push. */
export const anonymous: Readonly<Record<string, string>> = { "x-registry-auth": base64Url({}) }

/**
 * Returns the HTTP header with the registry credentials of a build.
 *
 * Podman selects credentials by the path of the image. Docker selects them only by host, and uses any of several
 * entries. Docker therefore gets one entry for each host: the credentials of the whole host, or else those of its
 * shortest path.
 */
export const registriesOf = (
  { product }: Api,
  credentials: ReadonlyArray<RegistryCredentials>
): Readonly<Record<string, string>> => {
  const chosen = new Map<string, RegistryCredentials>()
  for (const each of credentials.toSorted((one, other) => one.registry.length - other.registry.length)) {
    const name = product === "docker" ? (each.registry.split("/")[0] ?? "") : each.registry
    if (!chosen.has(name)) chosen.set(name, each)
  }
  if (chosen.size === 0) return {}
  const registries = [...chosen].map(([name, { password, username }]) => [
    name === "docker.io" ? dockerHub : name,
    { username, password: Redacted.value(password) }
  ])
  return { "x-registry-config": base64Url(Object.fromEntries(registries)) }
}
