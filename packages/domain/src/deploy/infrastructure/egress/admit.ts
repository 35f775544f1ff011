import { Result, Schema } from "effect"
import { reachOf } from "./address.ts"

/** The rule for outbound requests of this instance; public addresses are always allowed. */
export interface EgressPolicy {
  /** Whether outbound requests to private networks and to this machine are allowed. */
  readonly allowPrivate: boolean
}

/** Reports that outbound connections to a host are denied (protection against SSRF), with the reason. */
export class EgressRefused extends Schema.TaggedError<EgressRefused>()("EgressRefused", {
  because: Schema.String
}) {}

/**
 * Returns the IP addresses of a host if outbound requests to all of them are allowed; otherwise fails with the reason.
 *
 * One denied address is enough to deny the host, because the owner of its DNS name controls which address is used.
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
