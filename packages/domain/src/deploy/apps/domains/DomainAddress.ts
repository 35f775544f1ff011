import { Result, Schema } from "effect"
import { decodedPathOf } from "./decodedPath.ts"

/**
 * The canonical form of a domain, `host[:port][/path]`. Two domains conflict if their canonical forms are equal
 * (decision "Domains").
 */
export const DomainKey = Schema.String.pipe(Schema.brand("DomainKey"))
export type DomainKey = typeof DomainKey.Type

/** One address of a list of domains: the text that the user wrote, and its canonical form. */
export interface DomainAddress {
  readonly written: string
  readonly key: DomainKey
}

const host = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/
const ipv6 = /^\[[0-9a-f:.]+\]$/
const climbed = (segments: ReadonlyArray<string>): ReadonlyArray<string> => {
  const stack: Array<string> = []
  for (const segment of segments) {
    if (segment === "..") stack.pop()
    else if (segment !== "" && segment !== ".") stack.push(segment)
  }
  return stack
}

// A proxy matches decoded and normalized paths: `/a%2Fb`, `/a//b/` and `/a/./b` are equal.
const canonicalPath = (path: string): string | null => {
  const decodedPath = decodedPathOf(path)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (decodedPath === null || /[\u0000-\u001f\u007f]/.test(decodedPath)) return null
  return climbed(decodedPath.split("/"))
    .map((segment) => `/${encodeURI(segment).replaceAll("?", "%3F").replaceAll("#", "%23")}`)
    .join("")
}

const longestQuoted = 100
const quoted = (text: string): string =>
  text.length <= longestQuoted ? text : `${text.slice(0, longestQuoted).toWellFormed()}…`

const parseOne = (written: string): Result.Result<DomainAddress, string> => {
  const wrong = (why: string) => Result.fail(`\`${quoted(written)}\` ${why}`)
  if (!/^https?:\/\//i.test(written)) return wrong("must start with http:// or https://.")
  if (/[\s\\]/.test(written)) return wrong("must not contain white space or backslashes.")
  if (!URL.canParse(written)) return wrong("is not an address.")
  const url = new URL(written)
  if (url.username !== "" || url.password !== "") return wrong("must not contain credentials.")
  if (written.includes("?") || written.includes("#")) return wrong("must not have a query or a fragment.")
  const name = url.hostname.replace(/\.$/, "")
  if (!host.test(name) && !ipv6.test(name)) return wrong("has no valid host name.")
  if (url.port === "0") return wrong("has no valid port.")
  const path = canonicalPath(url.pathname)
  if (path === null) return wrong("has a path with invalid percent-encoding.")
  const port = url.port === "" ? "" : `:${url.port}`
  return Result.succeed({ written, key: DomainKey.make(`${name}${port}${path}`) })
}

/** The parsed addresses of a list of domains, and an error sentence for each invalid one. */
export interface ParsedDomains {
  readonly addresses: ReadonlyArray<DomainAddress>
  readonly problems: ReadonlyArray<string>
}

const mostDomains = 100

/**
 * Parses a comma-separated list of `http(s)://host[:port][/path]` addresses (decision "Domains").
 *
 * @example
 * parseDomains("https://Bücher.example:443/a/").addresses[0]?.key // => "xn--bcher-kva.example/a"
 * parseDomains("https://a.example/b%2F%40/.%2F").addresses[0]?.key // => "a.example/b/@"
 * parseDomains("http://a.test, ftp://b.test").problems // => ["`ftp://b.test` must start with http:// or https://."]
 * parseDomains("").addresses // => []
 */
export const parseDomains = (list: string): ParsedDomains => {
  if (list.trim() === "") return { addresses: [], problems: [] }
  const parts = list.split(",").map((part) => part.trim())
  if (parts.length > mostDomains) return { addresses: [], problems: [`At most ${mostDomains} domains are allowed.`] }
  const addresses: Array<DomainAddress> = []
  const problems: Array<string> = []
  for (const part of parts) {
    const parsed = part === "" ? Result.fail("An address is missing between two commas.") : parseOne(part)
    if (Result.isSuccess(parsed)) addresses.push(parsed.success)
    else problems.push(parsed.failure)
  }
  return { addresses, problems }
}

/** Returns whether a text is an IPv4 address. */
export const isIpv4 = (text: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(text)

/**
 * Returns the generated domain of a resource, for a resource without custom domains (decision "Generated domain").
 *
 * @example
 * generatedDomain("abc", { ip: "10.0.0.7", wildcardDomain: "apps.example.com" }) // => "http://abc.apps.example.com"
 * generatedDomain("abc", { ip: "10.0.0.7", wildcardDomain: null }) // => "http://abc.10.0.0.7.sslip.io"
 * generatedDomain("abc", { ip: "2001:db8::1", wildcardDomain: null }) // => "http://abc.2001-db8--1.sslip.io"
 * generatedDomain("abc", { ip: "::1", wildcardDomain: null }) // => "http://abc.0--1.sslip.io"
 */
export const generatedDomain = (
  uuid: string,
  server: { readonly ip: string; readonly wildcardDomain: string | null }
): string => {
  if (server.wildcardDomain !== null) return `http://${uuid}.${server.wildcardDomain.toLowerCase()}`
  if (isIpv4(server.ip)) return `http://${uuid}.${server.ip}.sslip.io`
  if (server.ip.includes(":")) {
    // No label of a host name can begin or end with a hyphen.
    const spelled = server.ip.toLowerCase().replace(/^:/, "0:").replace(/:$/, ":0").replace(/[:.]/g, "-")
    return `http://${uuid}.${spelled}.sslip.io`
  }
  // A host name contains no IP address, so a subdomain of it is used.
  return `http://${uuid}.${server.ip}`
}
