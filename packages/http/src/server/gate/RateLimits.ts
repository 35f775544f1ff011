import { hash } from "node:crypto"
import { callerAddress, callerKey } from "@slipway/domain"
import type { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IpNetwork } from "effect/net"
import { addressOf } from "../remoteAddress.ts"
import type { CountExchange, Window } from "./sharedCounts.ts"

/** The rate limits, in requests per minute; undefined means unlimited. */
export interface RateLimitSettings {
  /** The limit for each valid token in the header `Authorization`. */
  readonly token: number | undefined
  /** The limit for each client IP address, for all requests without a valid token. */
  readonly address: number | undefined
  /** The networks of trusted proxies, which may forward the caller's address (invariant I17). */
  readonly trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>
}

/** The length of a rate limit window, in seconds. */
const windowLength = 60
/** The maximum number of counted callers of each kind; at the limit, the caller with the oldest window is dropped. */
const mostCallers = 50_000
/** A process reports a caller's requests to the other processes after the limit divided by this number. */
const localShare = 10

/** The rate limit windows of the callers of one kind (tokens or addresses), in the order of their start. */
class Callers {
  readonly #windows = new Map<string, Window>()
  readonly name: string
  readonly quota: number

  constructor(name: string, quota: number | undefined) {
    this.name = name
    this.quota = quota ?? Number.POSITIVE_INFINITY
  }

  /** Returns the window of a known caller; creates one for an unknown caller if `begins` is set. */
  window(key: string, now: number, begins: boolean): Window | undefined {
    const found = this.#windows.get(key)
    if (found !== undefined && found.endsAt > now) return found
    if (found === undefined && !begins) return undefined
    this.#windows.delete(key)
    const [oldest] = this.#windows.size < mostCallers ? [] : this.#windows.keys()
    if (oldest !== undefined) this.#windows.delete(oldest)
    const window = { endsAt: now + windowLength * 1_000, used: 0, reported: 0 }
    this.#windows.set(key, window)
    return window
  }

  forget(key: string): void {
    this.#windows.delete(key)
  }

  /** Returns whether a window must be reported to the other processes before its next request is handled. */
  isUnreported({ reported, used }: Window): boolean {
    return used - reported >= Math.ceil(this.quota / localShare) || (used >= this.quota && used > reported)
  }

  headers({ endsAt, used }: Window, now: number): Readonly<Record<string, string>> {
    if (!Number.isFinite(this.quota)) return {}
    const left = String(Math.max(0, this.quota - used))
    const seconds = String(Math.ceil((endsAt - now) / 1_000))
    return {
      "ratelimit-policy": `"${this.name}";q=${this.quota};w=${windowLength}`,
      ratelimit: `"${this.name}";r=${left};t=${seconds}`,
      "x-ratelimit-limit": String(this.quota),
      "x-ratelimit-remaining": left,
      "x-ratelimit-reset": String(Math.ceil(endsAt / 1_000))
    }
  }
}

/** The result of counting a request. */
export interface Counted {
  /** The seconds until the request may be retried; undefined if it is within the limit. */
  readonly retryAfter: number | undefined
  /** If set, the request was not counted yet: run this report to other processes, then count the request again. */
  readonly report?: Effect.Effect<void>
  /** Returns the rate limit headers for a response with this status. */
  readonly headers: (status: number, now: number) => Readonly<Record<string, string>>
}

/** Matches an `Authorization` header with credentials; requests without one count for their address. */
const tokenHeader = /^\s*(?:token|bearer|basic)\s/i

/**
 * Returns a function that counts requests by token or client address: for all processes with `exchange`, else for this
 * process.
 *
 * Each process reports its counts to the others after every tenth of a limit, so a caller can exceed the limit by at
 * most a tenth per process.
 *
 * A token is counted separately only after a request with it was authenticated. Until then, and after a 401, its
 * requests count for the address, so that invented tokens allow no additional requests.
 */
export const countRequests = (settings: RateLimitSettings, exchange?: CountExchange) => {
  const tokens = new Callers("token", settings.token)
  const addresses = new Callers("address", settings.address)
  return (request: HttpServerRequest.HttpServerRequest, now: number): Counted => {
    const { authorization } = request.headers
    const token =
      authorization !== undefined && tokenHeader.test(authorization) ? hash("sha256", authorization) : undefined
    const known = token === undefined ? undefined : tokens.window(token, now, false)
    const addressKey = () =>
      callerKey(
        callerAddress(
          { address: addressOf(request), forwardedFor: request.headers["x-forwarded-for"] },
          settings.trustedProxies
        )
      )
    const address = (key = addressKey()) => addresses.window(key, now, true) as Window
    const callers = known === undefined ? addresses : tokens
    const key = known === undefined ? addressKey() : (token as string)
    const window = known ?? address(key)
    if (exchange !== undefined && callers.isUnreported(window)) {
      const report = exchange(`${callers.name}:${key}`, window)
      return { retryAfter: undefined, report, headers: (_, then) => callers.headers(window, then) }
    }
    if (window.used >= callers.quota) {
      return {
        retryAfter: Math.ceil((window.endsAt - now) / 1_000),
        headers: (_, then) => callers.headers(window, then)
      }
    }
    window.used += 1
    return {
      retryAfter: undefined,
      headers: (status, then) => {
        if (token !== undefined && known !== undefined && status === 401) {
          tokens.forget(token)
          const instead = address()
          instead.used += 1
          return addresses.headers(instead, then)
        }
        if (token === undefined || known !== undefined || status === 401) return callers.headers(window, then)
        window.used -= 1
        const own = tokens.window(token, now, true) as Window
        own.used += 1
        return tokens.headers(own, then)
      }
    }
  }
}
