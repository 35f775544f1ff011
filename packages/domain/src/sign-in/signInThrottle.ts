import { Schema } from "effect"
import type { NetAddress } from "effect/net"
import { nameKey } from "../Collection.ts"
import { callerKey } from "../callerAddress.ts"
import { millisecondsOf } from "../Time.ts"
import type { Failures } from "./SignInFailures.ts"

/** The rules by which failed sign-ins under a key delay the next attempt. */
interface Throttle {
  /** The number of failures after which the next attempt is not delayed yet. */
  readonly free: number
  /** The maximum delay of the next attempt, in seconds. */
  readonly longest: number
  /** The time after which one failure is forgotten, in seconds. */
  readonly lasts: number
}

// An attacker who knows a name can delay its owner. So the delay is short, and ends unless guesses come faster than
// failures expire: three per minute. An address is delayed only by its own failures.
const throttles = {
  account: { free: 10, longest: 20, lasts: 20 },
  address: { free: 30, longest: 900, lasts: 900 },
  signUp: { free: 10, longest: 900, lasts: 900 }
} as const satisfies Record<string, Throttle>

const throttleOf = (key: string): Throttle =>
  key.startsWith("account:") ? throttles.account : key.startsWith("sign-up:") ? throttles.signUp : throttles.address

/** Returns the time after which one failure under a key is forgotten, in seconds. */
export const failureExpiry = (key: string): number => throttleOf(key).lasts

/**
 * Reports that a sign-in was rejected because of too many failed or concurrent sign-ins, with the seconds until a retry
 * is allowed.
 */
export class SignInSlowed extends Schema.TaggedError<SignInSlowed>()("SignInSlowed", { seconds: Schema.Number }) {}

/** The time in seconds after which failures under a key are forgotten entirely. */
export const failuresLast = 3_600
/** The maximum number of keys (accounts and addresses) for which failed sign-ins are counted. */
export const mostCountedFailures = 100_000

const longestKey = 64

/**
 * Returns the key for counting failed sign-ins of an account. A name without an account gets a key too, so that the
 * response does not reveal which names exist.
 */
export const accountKey = (name: string): string =>
  `account:${name.isWellFormed() && !name.includes("\0") ? [...nameKey(name)].slice(0, longestKey).join("") : ""}`

/** Returns the key for counting failed sign-ins from an address; an IPv6 address is reduced to its /64 network. */
export const addressKey = (address: NetAddress.IpAddress): string => `address:${callerKey(address)}`

/** Returns the key for counting sign-ups from an address; an IPv6 address is reduced to its /64 network. */
export const signUpKey = (address: NetAddress.IpAddress): string => `sign-up:${callerKey(address)}`

/**
 * Returns the delay until the next sign-in attempt in seconds: 0 for the first failures, then each failure doubles the
 * delay.
 *
 * @example
 * attemptDelay([{ key: "account:bob", count: 12, lastAt: "2026-01-01T00:00:00.000Z" }], "2026-01-01T00:00:01.000Z") // => 3
 */
export const attemptDelay = (failures: ReadonlyArray<Failures>, present: string): number =>
  Math.max(
    0,
    ...failures.map(({ count, key, lastAt }) => {
      const { free, longest } = throttleOf(key)
      if (count < free) return 0
      const wait = Math.min(longest, 2 ** Math.min(count - free, 20))
      return Math.ceil((millisecondsOf(lastAt) - millisecondsOf(present)) / 1000 + wait)
    })
  )
