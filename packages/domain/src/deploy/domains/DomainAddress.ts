import { Result, Schema } from "effect"

/** The canonical form of a domain, `host[:port][/path]`: two domains conflict when it is equal (decision "Domains"). */
export const DomainKey = Schema.String.pipe(Schema.brand("DomainKey"))
export type DomainKey = typeof DomainKey.Type

/** One address of a list, as it was written and in its canonical form. */
export interface DomainAddress {
  readonly written: string
  readonly key: DomainKey
}

const host = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/
const ipv6 = /^\[[0-9a-f:.]+\]$/
const unreserved = /^[A-Za-z0-9._~-]$/

// `%41` and `A` reach the same route, so they must be one domain.
const canonicalPath = (path: string): string =>
  path
    .replace(/%([0-9A-Fa-f]{2})/g, (escape, hex: string) => {
      const letter = String.fromCharCode(Number.parseInt(hex, 16))
      return unreserved.test(letter) ? letter : escape.toUpperCase()
    })
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "")

const longestQuoted = 100
const quoted = (text: string): string =>
  text.length <= longestQuoted ? text : `${text.slice(0, longestQuoted).toWellFormed()}…`

const parseOne = (written: string): Result.Result<DomainAddress, string> => {
  const wrong = (why: string) => Result.fail(`\`${quoted(written)}\` ${why}`)
  if (!/^https?:\/\//i.test(written)) return wrong("must start with http:// or https://.")
  if (/[\s\\]/.test(written)) return wrong("must not hold white space or backslashes.")
  if (!URL.canParse(written)) return wrong("is not an address.")
  const url = new URL(written)
  if (url.username !== "" || url.password !== "") return wrong("must not hold credentials.")
  if (written.includes("?") || written.includes("#")) return wrong("must not have a query or a fragment.")
  const name = url.hostname.replace(/\.$/, "")
  if (!host.test(name) && !ipv6.test(name)) return wrong("has no valid host name.")
  if (url.port === "0") return wrong("has no valid port.")
  const port = url.port === "" ? "" : `:${url.port}`
  return Result.succeed({ written, key: DomainKey.make(`${name}${port}${canonicalPath(url.pathname)}`) })
}

/** What a list of domains holds, and a sentence for each address that isn't one. */
export interface ParsedDomains {
  readonly addresses: ReadonlyArray<DomainAddress>
  readonly problems: ReadonlyArray<string>
}

const mostDomains = 100

/**
 * Reads a comma-separated list of `http(s)://host[:port][/path]` addresses (decision "Domains").
 *
 * @example
 * parseDomains("https://Bücher.example:443/a/").addresses[0]?.key // => "xn--bcher-kva.example/a"
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

const ipv4 = /^\d{1,3}(\.\d{1,3}){3}$/

/**
 * Returns the domain of a resource that has none of its own (decision "Generated domain").
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
  if (ipv4.test(server.ip)) return `http://${uuid}.${server.ip}.sslip.io`
  if (server.ip.includes(":")) {
    // No label of a host name may begin or end with a hyphen.
    const spelled = server.ip.toLowerCase().replace(/^:/, "0:").replace(/:$/, ":0").replace(/[:.]/g, "-")
    return `http://${uuid}.${spelled}.sslip.io`
  }
  // A host name has no address to spell out; its own sub-domain is the nearest thing.
  return `http://${uuid}.${server.ip}`
}
