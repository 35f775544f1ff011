import { decodePath, encodePath, type Repository } from "@slipway/domain/forge/code"
import type { HttpServerRequest } from "effect/http"
import type { PublicUrlSettings } from "../base/PublicUrl.ts"

/** The URLs of a repository: in the API (`api`), and of its web page (`html`). */
export interface RepositoryLinks {
  readonly api: string
  readonly html: string
}

/** Returns the API URL and web URL of a repository. */
export const linksOf = (
  { rootUrl }: PublicUrlSettings,
  { name, owner }: Pick<Repository, "name" | "owner">
): RepositoryLinks => {
  const path = `${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}`
  return { api: `${rootUrl}/api/v1/repos/${path}`, html: `${rootUrl}/${path}` }
}

const unreserved = /^[A-Za-z0-9\-._~!$'()*+,=:@/]$/

/**
 * Percent-encodes a file path for a URL; slashes and unreserved characters stay.
 *
 * @example
 * pathInUrl("a b/ü%.txt") // => "a%20b/%C3%BC%25.txt"
 * pathInUrl("\udcff") // => "%FF"
 */
export const pathInUrl = (path: string): string =>
  Array.from(encodePath(path), (byte) => {
    const sign = String.fromCharCode(byte)
    return unreserved.test(sign) ? sign : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
  }).join("")

const hexadecimal = /^[0-9A-Fa-f]{2}$/

/**
 * Decodes a file path in a URL; bytes that are not valid UTF-8 become lone surrogates.
 *
 * @example
 * pathFromUrl("a%20b/%C3%BC%25.txt") // => "a b/ü%.txt"
 * pathFromUrl("%ff") // => "\udcff"
 */
export const pathFromUrl = (text: string): string => {
  const sent = new TextEncoder().encode(text)
  const bytes: Array<number> = []
  for (let at = 0; at < sent.length; at++) {
    const digits = String.fromCharCode(sent[at + 1] ?? 0, sent[at + 2] ?? 0)
    if (sent[at] === 0x25 && hexadecimal.test(digits)) {
      bytes.push(Number.parseInt(digits, 16))
      at += 2
    } else bytes.push(sent[at] ?? 0)
  }
  return decodePath(Uint8Array.from(bytes))
}

/** Returns the path of a request after its first `parts` segments, decoded byte by byte, as git names files. */
export const restOfPath = (
  { originalUrl }: Pick<HttpServerRequest.HttpServerRequest, "originalUrl">,
  parts: number
): string =>
  pathFromUrl(
    (originalUrl.replace(/^https?:\/\/[^/]*/i, "").split("?")[0] ?? "")
      .split("/")
      .slice(parts + 1)
      .join("/")
  )

const unread = "\ufffd"

/**
 * Returns the file path in a query parameter, or `undefined` if the parameter is missing.
 *
 * `read` is the parameter after decoding as UTF-8. Git allows file names with other bytes, which this decoding replaces
 * by U+FFFD. If `read` contains this character, the function decodes the path from the URL of the request again, and
 * keeps these bytes.
 */
export const pathInQuery = (
  { originalUrl }: Pick<HttpServerRequest.HttpServerRequest, "originalUrl">,
  name: string,
  read: string | undefined
): string | undefined => {
  if (read?.includes(unread) !== true) return read
  const sent = (originalUrl.split("?")[1] ?? "").split("&").find((pair) => pair.startsWith(`${name}=`))
  return sent === undefined ? read : pathFromUrl(sent.slice(name.length + 1).replaceAll("+", " "))
}

/** The number of path segments before the file's name in the API: `api/v1/repos/owner/name/contents`. */
export const apiParts = 6
