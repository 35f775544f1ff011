/** The class of an IP address: public, in a private network, or `never`, to which the platform never connects. */
export type AddressScope = "public" | "private" | "never"

// Leading zeros are rejected, since resolvers read them as octal: `012.0.0.1` would resolve to 10.0.0.1.
const number = "(0|[1-9]\\d{0,2})"
const ipv4 = new RegExp(`^${number}\\.${number}\\.${number}\\.${number}$`)

const bitsOf4 = (address: string): bigint | null => {
  const parts = ipv4.exec(address)?.slice(1).map(Number)
  return parts === undefined || parts.some((part) => part > 255)
    ? null
    : parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

const groupsOf = (text: string): ReadonlyArray<string> | null => {
  if (text === "") return []
  const groups = text.split(":")
  const last = groups.at(-1) ?? ""
  const four = last.includes(".") ? bitsOf4(last) : null
  if (last.includes(".") && four === null) return null
  const all =
    four === null ? groups : [...groups.slice(0, -1), (four >> 16n).toString(16), (four & 0xffffn).toString(16)]
  return all.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) ? all : null
}

const bitsOf6 = (address: string): bigint | null => {
  const halves = address.split("::")
  if (halves.length > 2) return null
  const [front, back] = [groupsOf(halves[0] ?? ""), groupsOf(halves[1] ?? "")]
  if (front === null || back === null) return null
  const missing = 8 - front.length - back.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null
  const groups = [...front, ...Array<string>(missing).fill("0"), ...back]
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n)
}

interface Network {
  readonly start: bigint
  readonly shift: bigint
  readonly reach: AddressScope
}

const networks = (
  width: number,
  bitsOf: (address: string) => bigint | null,
  rows: ReadonlyArray<readonly [string, AddressScope]>
): ReadonlyArray<Network> =>
  rows.map(([network, reach]) => {
    const [address = "", bits] = network.split("/")
    const shift = BigInt(width - Number(bits))
    return { start: (bitsOf(address) ?? 0n) >> shift, shift, reach }
  })

/**
 * The IPv4 networks that are not public (RFC 6890) with their class; the first match is used.
 *
 * Addresses of cloud metadata services and ranges without hosts have the class `never` (protection against SSRF).
 */
const networks4 = networks(32, bitsOf4, [
  ["0.0.0.0/8", "never"],
  ["10.0.0.0/8", "private"],
  ["100.100.100.200/32", "never"],
  ["100.64.0.0/10", "private"],
  ["127.0.0.0/8", "private"],
  ["168.63.129.16/32", "never"],
  ["169.254.0.0/16", "never"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "never"],
  ["192.0.2.0/24", "never"],
  ["192.88.99.0/24", "never"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "private"],
  ["198.51.100.0/24", "never"],
  ["203.0.113.0/24", "never"],
  ["224.0.0.0/3", "never"]
])

/** The IPv6 networks with their class; the first match is used, and all other addresses have the class `never`. */
const networks6 = networks(128, bitsOf6, [
  ["::1/128", "private"],
  ["fd00:ec2::254/128", "never"],
  ["fc00::/7", "private"],
  ["2001::/23", "never"],
  ["2001:db8::/32", "never"],
  ["2002::/16", "never"],
  ["3fff::/20", "never"],
  ["2000::/3", "public"]
])

const reachOf4 = (bits: bigint): AddressScope =>
  networks4.find(({ shift, start }) => bits >> shift === start)?.reach ?? "public"

/** The IPv6 prefixes with an IPv4 address in the last 32 bits: IPv4-mapped addresses and NAT64. */
const translated = [0xffffn, 0x0064ff9bn << 64n]

/**
 * Returns the class of an IPv4 or IPv6 address; `never` for an invalid text.
 *
 * @example
 * reachOf("93.184.216.34") // => "public"
 * reachOf("10.0.0.1") // => "private"
 * reachOf("::ffff:10.0.0.1") // => "private"
 * reachOf("169.254.169.254") // => "never"
 * reachOf("2606:2800:220:1::1") // => "public"
 */
export const reachOf = (address: string): AddressScope => {
  const four = bitsOf4(address)
  if (four !== null) return reachOf4(four)
  const six = address.includes(":") ? bitsOf6(address) : null
  if (six === null) return "never"
  if (translated.includes(six >> 32n)) return reachOf4(six & 0xffffffffn)
  return networks6.find(({ shift, start }) => six >> shift === start)?.reach ?? "never"
}

/** Returns whether a text is an IPv4 or IPv6 address, without brackets. */
export const isAddress = (text: string): boolean =>
  bitsOf4(text) !== null || (text.includes(":") && bitsOf6(text) !== null)
