/** Returns whether an expiry is later than a given time, both in milliseconds; without an expiry, it returns true. */
export const isValidAt = (now: number, until: number | undefined | null): boolean =>
  until === undefined || until === null || now < until

/**
 * Returns whether a past event, such as the last check of a second factor, is at most `maxAge` milliseconds old.
 * Returns false for a missing event and for one in the future.
 */
export const isRecentAt = (now: number, event: number | undefined | null, maxAge: number): boolean =>
  event !== undefined && event !== null && event <= now && now - event <= maxAge

const number = (text: string, base: 10 | 16, largest: number): number | undefined => {
  const digits = base === 10 ? /^\d{1,3}$/ : /^[\da-f]{1,4}$/i
  const value = Number.parseInt(text, base)
  return digits.test(text) && value <= largest ? value : undefined
}

/** The first 96 bits of an IPv4-mapped IPv6 address (`::ffff:0:0/96`). */
const mapped = "1".repeat(16).padStart(96, "0")

/** Returns the bits of an IP address: 32 for IPv4 (also IPv4-mapped IPv6), 128 for IPv6; undefined if invalid. */
const bitsOfAddress = (address: string): string | undefined => {
  const bits = (parts: ReadonlyArray<number | undefined>, width: number) =>
    parts.some((part) => part === undefined)
      ? undefined
      : parts.map((part) => (part as number).toString(2).padStart(width, "0")).join("")
  const four = address.replace(/^::ffff:(?=\d+\.)/i, "").split(".")
  if (four.length === 4)
    return bits(
      four.map((part) => number(part, 10, 255)),
      8
    )
  const halves = address.split("::")
  const parts = halves.map((half) => (half === "" ? [] : half.split(":")))
  const [head = [], tail = []] = parts
  const missing = 8 - head.length - tail.length
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined
  const all = [...head, ...Array.from({ length: missing }, () => "0"), ...tail]
  const six = bits(
    all.map((part) => number(part, 16, 0xffff)),
    16
  )
  return six?.startsWith(mapped) === true ? six.slice(mapped.length) : six
}

/**
 * Compiles an IP address range in CIDR notation, such as `10.0.0.0/8` or `2001:db8::/32`, into a function that tests
 * whether an address is in the range.
 *
 * Throws if the text is not a range. The function returns false for a text that is no address.
 */
export const addressRange = (range: string): ((address: string) => boolean) => {
  const [address = "", length, ...more] = range.split("/")
  const bits = bitsOfAddress(address)
  const size = length === undefined ? bits?.length : number(length, 10, bits?.length ?? 0)
  if (bits === undefined || size === undefined || more.length > 0) {
    throw new Error(`\`${range}\` is not a range of addresses, such as 10.0.0.0/8`)
  }
  const prefix = bits.slice(0, size)
  return (each) => {
    const other = bitsOfAddress(each)
    return other?.length === bits.length && other.startsWith(prefix)
  }
}
