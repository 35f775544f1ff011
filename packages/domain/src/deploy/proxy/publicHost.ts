const ipv4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

/** The networks that nobody reaches from the internet, as the first bits of an address (RFC 6890). */
const reserved = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3"
] as const

const numberOf = (address: string): number | null => {
  const parts = ipv4.exec(address)?.slice(1).map(Number)
  return parts === undefined || parts.some((part) => part > 255)
    ? null
    : parts.reduce((sum, part) => sum * 256 + part, 0)
}

const isPublicIpv4 = (address: string): boolean => {
  const number = numberOf(address)
  return (
    number !== null &&
    !reserved.some((network) => {
      const [start = "", bits] = network.split("/")
      const size = 2 ** (32 - Number(bits))
      return Math.floor(number / size) === Math.floor((numberOf(start) ?? 0) / size)
    })
  )
}

// Global unicast addresses are those below 2000::/3; documentation and 6to4 are not for hosts.
const isPublicIpv6 = (address: string): boolean =>
  /^[23][0-9a-f]{3}:/.test(address) && !address.startsWith("2001:db8:") && !address.startsWith("2002:")

/** Names that mean nothing, or something else, outside of one machine or network (RFC 6761, RFC 6762, RFC 8375). */
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

// Names below sslip.io and nip.io lead to the address that they spell.
const isPublicSpelling = (name: string): boolean => {
  const four = spelling.exec(name)?.[1]
  if (four !== undefined) return isPublicIpv4(four.replaceAll("-", "."))
  const six = spelling6.exec(name)?.[1]
  return six !== undefined && isPublicIpv6(six.replaceAll("-", ":"))
}

/**
 * Tells whether certificate authorities can be asked for a certificate of a host: a name that is public and may lead here.
 *
 * @example
 * isPublicHost("shop.slipway.dev") // => true
 * isPublicHost("shop.localhost") // => false
 * isPublicHost("abc.10.0.0.7.sslip.io") // => false
 * isPublicHost("abc.93.184.216.34.sslip.io") // => true
 * isPublicHost("93.184.216.34") // => false
 */
export const isPublicHost = (host: string): boolean => {
  if (host.includes(":") || ipv4.test(host) || host.includes("_") || !host.includes(".")) return false
  if (localEnds.some((end) => host.endsWith(`.${end}`) || host === end)) return false
  const spelled = /^(.+)\.(?:sslip|nip)\.io$/.exec(host)?.[1]
  return spelled === undefined || isPublicSpelling(spelled)
}
