import { memoize } from "@slipway/domain"
import { Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"

const unknownAddress = NetAddress.ipFromStringUnsafe("0.0.0.0")

/** Parses the IP address of a connection; memoized for as many addresses as connections can be open. */
const read = memoize((text: string) => Result.getOrElse(NetAddress.ipFromString(text), () => unknownAddress), 1_024)

/** Returns the remote IP address of a request's connection; ignores headers of proxies. */
export const addressOf = (request: HttpServerRequest.HttpServerRequest): NetAddress.IpAddress =>
  Option.match(request.remoteAddress, {
    onNone: () => unknownAddress,
    onSome: read
  })
