import { isAddress, reachOf } from "../../infrastructure/egress/address.ts"

/** The endings of host names for local use, which public DNS does not contain (RFC 6761, RFC 6762, RFC 8375). */
const localEnds = [
  "arpa",
  "corp",
  "example",
  "example.com",
  "example.net",
  "example.org",
  "home",
  "internal",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "onion",
  "test"
]

const spelling = /^(?:.*[.-])?(\d{1,3}(?:-\d{1,3}){3}|\d{1,3}(?:\.\d{1,3}){3})$/
const spelling6 = /(?:^|\.)([0-9a-f]{1,4}(?:-[0-9a-f]{0,4}){2,7})$/

// Names below sslip.io and nip.io resolve to the address in the name.
const isPublicSpelling = (name: string): boolean => {
  const four = spelling.exec(name)?.[1]
  if (four !== undefined) return reachOf(four.replaceAll("-", ".")) === "public"
  const six = spelling6.exec(name)?.[1]
  return six !== undefined && reachOf(six.replaceAll("-", ":")) === "public"
}

/**
 * Returns whether a public certificate can be requested for a host: the host must be a public DNS name, not an IP
 * address or a name for local use.
 *
 * @example
 * isPublicHost("shop.slipway.dev") // => true
 * isPublicHost("shop.localhost") // => false
 * isPublicHost("abc.10.0.0.7.sslip.io") // => false
 * isPublicHost("abc.93.184.216.34.sslip.io") // => true
 * isPublicHost("93.184.216.34") // => false
 */
export const isPublicHost = (host: string): boolean => {
  if (host.includes(":") || isAddress(host) || host.includes("_") || !host.includes(".")) return false
  if (localEnds.some((end) => host.endsWith(`.${end}`) || host === end)) return false
  const spelled = /^(.+)\.(?:sslip|nip)\.io$/.exec(host)?.[1]
  return spelled === undefined || isPublicSpelling(spelled)
}
