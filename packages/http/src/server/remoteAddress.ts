import { Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"

const unknownAddress = NetAddress.ipFromStringUnsafe("0.0.0.0")

/** The addresses that were read, of as many connections as there may be at once. */
const known = new Map<string, NetAddress.IpAddress>()
const mostKnown = 1_024

const read = (text: string): NetAddress.IpAddress => {
  const address = Result.getOrElse(NetAddress.ipFromString(text), () => unknownAddress)
  if (known.size >= mostKnown) known.clear()
  known.set(text, address)
  return address
}

/** Returns the address that a request came from, whatever it says itself. */
export const addressOf = (request: HttpServerRequest.HttpServerRequest): NetAddress.IpAddress =>
  Option.match(request.remoteAddress, {
    onNone: () => unknownAddress,
    onSome: (text) => known.get(text) ?? read(text)
  })
