import { lookup } from "node:dns/promises"
import { createConnection, type Socket } from "node:net"
import { admit, type EgressPolicy, EgressRefused, isAddress } from "@slipway/domain/deploy/infrastructure"
import { Data, Effect, Result } from "effect"

/** Reports that the egress rule allows a host, but no connection to it succeeds, with the reason. */
export class EgressUnreachable extends Data.TaggedError("EgressUnreachable")<{ readonly because: string }> {}

/** The egress rule (which addresses may be reached), and the network functions that tests replace. */
export interface EgressOptions extends EgressPolicy {
  /** Resolves a host name to all its addresses. */
  readonly lookup?: (name: string) => Promise<ReadonlyArray<string>>
  /** Returns whether a host and port may be reached even if its address is private; by default, never. */
  readonly isAllowed?: (host: string, port: number) => Effect.Effect<boolean>
  /** Opens a connection to an address that the egress rule allows. */
  readonly dial?: (address: string, port: number) => Socket
}

const usualLookup = (name: string) =>
  lookup(name, { all: true, order: "verbatim" }).then((found) => found.map(({ address }) => address))
const nothingMore = () => Effect.succeed(false)
const usualDial = (address: string, port: number) => createConnection({ host: address, port })

// A lookup occupies one of the few threads that files need as well, as long as the name server likes.
const mostLookups = 2

/**
 * Returns a function that runs at most `most` tasks concurrently. A waiting task is dropped when its caller is
 * interrupted.
 */
const limitConcurrency = (most: number) => {
  const waiting: Array<() => void> = []
  let running = 0
  return async <A>(work: () => Promise<A>, signal: AbortSignal): Promise<A> => {
    if (running === most) await new Promise<void>((resume) => waiting.push(resume))
    else running++
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

const timeout = "10 seconds"
// A name with thousands of addresses isn't legitimate, and trying them all would take for ever (invariant I25).
const mostAddresses = 64
const mostTries = 4

const unreachable = (because: string) => Effect.fail(new EgressUnreachable({ because }))

/**
 * Returns the function that opens connections. It resolves the host name, checks all its addresses against the egress
 * rule, and connects to a checked address without resolving the name again (DNS rebinding).
 */
export const connector = ({
  allowPrivate,
  dial = usualDial,
  isAllowed = nothingMore,
  lookup = usualLookup
}: EgressOptions) => {
  const inTurn = limitConcurrency(mostLookups)
  const addressesOf = (host: string) =>
    isAddress(host)
      ? Effect.succeed([host])
      : Effect.tryPromise({
          try: (signal) => inTurn(() => lookup(host), signal),
          catch: () => new EgressUnreachable({ because: `the host \`${host}\` isn't known` })
        }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => unreachable(`the host \`${host}\` could not be resolved in time`)
          })
        )

  const connected = (address: string, port: number) =>
    Effect.callback<Socket, EgressUnreachable>((resume) => {
      const socket = dial(address, port)
      const failed = (error: NodeJS.ErrnoException) =>
        resume(unreachable(`nothing answers at ${address}, port ${port} (${error.code ?? error.message})`))
      socket.once("error", failed)
      socket.once("connect", () => {
        socket.off("error", failed)
        // The user of the socket handles its errors; one that comes before they listen must not end the process.
        socket.on("error", () => {})
        resume(Effect.succeed(socket))
      })
      return Effect.sync(() => socket.destroy())
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => unreachable(`nothing answers at ${address}, port ${port}, in time`)
      })
    )

  return Effect.fnUntraced(function* (name: string, port: number) {
    const host = name.replace(/^\[(.*)\]$/, "$1").toLowerCase()
    const addresses = yield* addressesOf(host)
    if (addresses.length > mostAddresses) {
      return yield* new EgressRefused({ because: `the host \`${host}\` has too many addresses` })
    }
    const admitted = admit(host, addresses, { allowPrivate })
    const isExact = Result.isFailure(admitted) && (yield* isAllowed(host, port))
    const [first, ...others] = yield* Effect.fromResult(
      isExact ? admit(host, addresses, { allowPrivate: true }) : admitted
    )
    return yield* others
      .slice(0, mostTries - 1)
      .reduce((tried, next) => Effect.catch(tried, () => connected(next, port)), connected(first, port))
  })
}

/**
 * Opens a TCP connection to a host and port; fails if the egress rule denies the address or the host is unreachable.
 */
export type Connect = ReturnType<typeof connector>
