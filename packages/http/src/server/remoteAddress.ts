import { memoize } from "@slipway/domain"
import { Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"

const unknownAddress = NetAddress.ipFromStringUnsafe("0.0.0.0")

/** Reads addresses of connections, and remembers as many as can be open concurrently. */
const read = memoize((text: string) => Result.getOrElse(NetAddress.ipFromString(text), () => unknownAddress), 1_024)

/** Returns the remote address of a request's connection, regardless of its headers. */
export const addressOf = (request: HttpServerRequest.HttpServerRequest): NetAddress.IpAddress =>
  Option.match(request.remoteAddress, {
    onNone: () => unknownAddress,
    onSome: read
  })
