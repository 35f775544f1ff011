import { Result, Schema } from "effect"
import { reachOf } from "./address.ts"

/** What this instance lets its users reach besides the internet. */
export interface EgressPolicy {
  /** Whether networks of its own, and its own machine, may be reached. */
  readonly allowPrivate: boolean
}

/** Reports that nobody is sent to a host, and why. */
export class EgressRefused extends Schema.TaggedError<EgressRefused>()("EgressRefused", {
  because: Schema.String
}) {}

/**
 * Returns the addresses of a host that may be connected to, which are all of them or none.
 *
 * One address that may not be reached refuses the host: which of several is taken is up to whoever answers for its name.
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
    if (reach === "never") return refuse(`${subject} isn't one that anybody is sent to`)
    if (reach === "private" && !allowPrivate)
      return refuse(`${subject} is private and this instance doesn't allow that`)
  }
  return Result.succeed([first, ...others])
}
