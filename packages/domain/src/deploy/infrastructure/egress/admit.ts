import { Result, Schema } from "effect"
import { reachOf } from "./address.ts"

/** The destinations of outbound requests that this instance allows in addition to public addresses. */
export interface EgressPolicy {
  /** Whether its private networks and its own machine are reachable. */
  readonly allowPrivate: boolean
}

/** Reports that outbound connections to a host are denied, and why. */
export class EgressRefused extends Schema.TaggedError<EgressRefused>()("EgressRefused", {
  because: Schema.String
}) {}

/**
 * Returns the allowed addresses of a host: all of them or none.
 *
 * If one address is denied, the host is denied: the owner of the DNS name controls which of its addresses is used.
 */
export const admit = (
  host: string,
  addresses: ReadonlyArray<string>,
  { allowPrivate }: EgressPolicy
): Result.Result<readonly [string, ...ReadonlyArray<string>], EgressRefused> => {
  const refuse = (because: string) => Result.fail(new EgressRefused({ because }))
  const [first, ...others] = addresses
  if (first === undefined) return refuse(`the host \`${host}\` has no address`)
  for (const address of addresses) {
    const subject =
      address === host ? `the host's address ${address}` : `the address ${address} of the host \`${host}\``
    const reach = reachOf(address)
    if (reach === "never") return refuse(`${subject} is not an allowed target`)
    if (reach === "private" && !allowPrivate)
      return refuse(`${subject} is private and this instance doesn't allow that`)
  }
  return Result.succeed([first, ...others])
}
