import { isRepositoryAddress } from "../fields/git.ts"
import { type RepositoryAddress, readRepositoryAddress } from "./repositoryAddress.ts"
import type { RepositoryAccess } from "./Sources.ts"

/** The maximum number of submodules that a checkout fetches, including nested ones (invariant I25). */
export const mostSubmodules = 100

/** The maximum nesting depth of submodules (invariant I25: bounded resources). */
export const deepestSubmodule = 4

/** A parsed repository address with its credentials. */
export interface OpenedRepository {
  readonly address: RepositoryAddress
  readonly access: RepositoryAccess
}

const anyone: RepositoryAccess = { _tag: "Anyone" }

/** Returns a repository without credentials. */
export const withoutSecrets = ({ address }: OpenedRepository): OpenedRepository => ({
  access: anyone,
  address: address._tag === "Http" ? { ...address, username: "", password: "" } : address
})

/** Resolves a relative submodule path against that of its repository; undefined if it leads above the host's root. */
const pathFrom = (path: string, relative: string): string | undefined => {
  const parts = path.split("/").filter((part) => part !== "")
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue
    if (part !== "..") parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.length === 0 ? undefined : parts.join("/")
}

const isRelative = (url: string): boolean => /^\.\.?\//.test(url)

const relativeTo = (address: RepositoryAddress, url: string): RepositoryAddress | undefined => {
  if (/[\s\\?#]/.test(url)) return undefined
  const present = address._tag === "Http" ? new URL(address.url).pathname : address.path
  const path = pathFrom(present, url)
  if (path === undefined || path.startsWith("-")) return undefined
  if (address._tag === "Ssh") return { ...address, path: present.startsWith("/") ? `/${path}` : path }
  return { ...address, url: `${address.origin}/${path}` }
}

const hostOf = (address: RepositoryAddress): string =>
  address._tag === "Http" ? new URL(address.url).hostname : address.host

/** Converts an SSH address to http(s). On the repository's own host, it uses the repository's scheme and port. */
const overHttp = (
  repository: Extract<RepositoryAddress, { readonly _tag: "Http" }>,
  { host, path }: Extract<RepositoryAddress, { readonly _tag: "Ssh" }>
): RepositoryAddress | undefined => {
  const origin = host === hostOf(repository) ? repository.origin : `https://${host}`
  const url = `${origin}/${path.replace(/^\/+/, "")}`
  return isRepositoryAddress(url) ? readRepositoryAddress(url) : undefined
}

const isSamePlace = (one: RepositoryAddress, other: RepositoryAddress): boolean =>
  one._tag === "Http"
    ? other._tag === "Http" && one.origin === other.origin
    : other._tag === "Ssh" && one.host === other.host && one.port === other.port

/**
 * Returns the address and credentials of a submodule; undefined for an invalid address.
 *
 * Relative addresses are resolved against the repository's address. Credentials are only sent to the repository's own
 * host, with the same port and protocol; a token that is limited to the repository is never sent (invariant I14).
 *
 * A repository with an http(s) address has no SSH key, so SSH addresses of its submodules are converted to http(s).
 */
export const submoduleOf = ({ access: own, address }: OpenedRepository, url: string): OpenedRepository | undefined => {
  const access = own._tag === "Token" && own.isForRepositoryOnly === true ? anyone : own
  if (isRelative(url)) {
    const found = relativeTo(address, url)
    return found && { address: found, access }
  }
  const named = readRepositoryAddress(url)
  const found = named?._tag === "Ssh" && address._tag === "Http" ? overHttp(address, named) : named
  if (found === undefined) return undefined
  if (!isSamePlace(address, found)) return { address: found, access: anyone }
  if (found._tag !== "Http" || address._tag !== "Http") return { address: found, access }
  const isNamed = found.username !== "" || found.password !== ""
  return isNamed
    ? { address: found, access: anyone }
    : { address: { ...found, username: address.username, password: address.password }, access }
}
