import { isRepositoryAddress } from "../fields/git.ts"

/** The parsed address of a repository, over HTTP, HTTPS or SSH. */
export type RepositoryAddress =
  | {
      readonly _tag: "Http"
      /** The URL without credentials. */
      readonly url: string
      readonly origin: string
      readonly username: string
      readonly password: string
    }
  | {
      readonly _tag: "Ssh"
      readonly user: string
      readonly host: string
      readonly port: number
      /** The path in the form that the remote server expects. */
      readonly path: string
    }

/** Decodes percent encoding; returns the text unchanged if the encoding is invalid. */
export const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const usualUser = "git"
const scpLike = /^([^@/]+)@(\[[^\]]+\]|[^:/]+):(.+)$/

/**
 * Removes the user name and the password from the address of a repository, so that it can be shown (invariant I15).
 *
 * @example
 * shownAddress("https://me:p@ss@forge.example/a/b.git") // => "https://forge.example/a/b.git"
 * shownAddress("git@forge.example:a/b.git") // => "git@forge.example:a/b.git"
 */
export const shownAddress = (text: string): string => {
  if (!/^[a-z]+:\/\//i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  url.username = ""
  url.password = ""
  return url.href
}

/**
 * Parses the address of a repository; undefined for an invalid one.
 *
 * @example
 * readRepositoryAddress("git@forge.example:a/b.git") // => { _tag: "Ssh", user: "git", host: "forge.example", port: 22, path: "a/b.git" }
 * readRepositoryAddress("ext::sh -c id") // => undefined
 */
export const readRepositoryAddress = (text: string): RepositoryAddress | undefined => {
  if (!isRepositoryAddress(text)) return undefined
  if (!/^(?:https?|ssh):\/\//i.test(text)) {
    const [, user = usualUser, host = "", path = ""] = scpLike.exec(text) ?? []
    return { _tag: "Ssh", user, host: host.replace(/^\[(.*)\]$/, "$1"), port: 22, path }
  }
  const url = new URL(text)
  const [username, password] = [decodePercent(url.username), decodePercent(url.password)]
  if (url.protocol === "ssh:") {
    const path = decodePercent(url.pathname)
    return {
      _tag: "Ssh",
      user: username === "" ? usualUser : username,
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(url.port === "" ? 22 : url.port),
      // A home directory is not below the root.
      path: path.startsWith("/~") ? path.slice(1) : path
    }
  }
  url.username = ""
  url.password = ""
  url.hash = ""
  return { _tag: "Http", url: url.href, origin: url.origin, username, password }
}
