import { Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** Returns whether an IP address belongs to one of the networks. */
export const isWithin = (networks: ReadonlyArray<IpNetwork.IpNetwork>, address: NetAddress.IpAddress): boolean =>
  networks.some((network) => IpNetwork.contains(network, NetAddress.toCanonical(address)))

const longestChain = 32

/** The origin of an HTTP request: the address of the connection, and the forwarding header. */
export interface Forwarded {
  /** The IP address of the peer of the connection: the client itself or a proxy. */
  readonly address: NetAddress.IpAddress
  /** The header `X-Forwarded-For`. */
  readonly forwardedFor?: string | undefined
}

/**
 * Returns the IP address of the client of a request: the last address in the chain that is not a trusted proxy.
 *
 * Values that a client itself writes into `X-Forwarded-For` come before those of the proxies, so they are never used.
 */
export const callerAddress = (
  { address, forwardedFor }: Forwarded,
  trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
): NetAddress.IpAddress => {
  let found = NetAddress.toCanonical(address)
  const forwarded = (forwardedFor ?? "").split(",").slice(-longestChain)
  while (isWithin(trustedProxies, found)) {
    const before = NetAddress.ipFromString((forwarded.pop() ?? "").trim())
    if (Result.isFailure(before)) break
    found = NetAddress.toCanonical(before.success)
  }
  return found
}

/**
 * Returns the key under which requests of an IP address are counted. It is the complete IPv4 address, such as
 * `192.0.2.1`, or the 64-bit network of an IPv6 address, such as `2001:db8:0:0`.
 */
export const callerKey = (address: NetAddress.IpAddress): string =>
  NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : NetAddress.ipv6ToSegments(address)
        .slice(0, 4)
        .map((segment) => segment.toString(16))
        .join(":")
