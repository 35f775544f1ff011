import { createHmac, hkdfSync } from "node:crypto"
import type { RequestCount } from "@slipway/domain"
import { Clock, Effect, Redacted, Semaphore } from "effect"

/**
 * The rate limit window of one caller: its end in milliseconds since 1970, the requests in it, and how many of them
 * were reported to other processes.
 */
export interface Window {
  endsAt: number
  used: number
  reported: number
}

/** The timeout for reading the counts of other processes; after it, only the count of this process applies. */
const patience = "1 second"

/** A function that reports a caller's requests to other processes, and adds their counts to the window. */
export type CountExchange = (caller: string, window: Window) => Effect.Effect<void>

/**
 * Returns a function that adds a caller's count to the shared counts and reads the total, in batches.
 *
 * One batch runs at a time and contains all waiting callers. Callers are stored as keyed hashes, because a caller key
 * can be a header with a password, which must not be guessable from a row.
 */
export const batchedCountExchange = (
  add: (counts: ReadonlyArray<RequestCount>) => Effect.Effect<ReadonlyArray<RequestCount>>,
  secret: Redacted.Redacted<Uint8Array>
): CountExchange => {
  const key = new Uint8Array(hkdfSync("sha256", Redacted.value(secret), "", "counted callers", 32))
  const turns = Semaphore.makeUnsafe(1)
  const waiting = new Map<string, Window>()
  const exchange = Effect.gen(function* () {
    // Waiting callers may have been reported in the previous batch.
    const batch = new Map([...waiting].filter(([, { reported, used }]) => used > reported))
    waiting.clear()
    if (batch.size === 0) return
    const before = yield* Clock.currentTimeMillis
    const counts = [...batch].map(([caller, { endsAt, reported, used }]) => ({
      caller,
      count: used - reported,
      endsIn: Math.max(1, endsAt - before)
    }))
    const totals = yield* Effect.exit(Effect.timeout(add(counts), patience))
    const after = yield* Clock.currentTimeMillis
    // An unavailable store answers requests with 503 itself: here only this process's counts apply.
    const learned = totals._tag === "Success" ? totals.value : []
    for (const { caller, count } of counts) (batch.get(caller) as Window).reported += count
    for (const { caller, count, endsIn } of learned) {
      const window = batch.get(caller)
      if (window === undefined) continue
      window.used += count - window.reported
      window.reported = count
      window.endsAt = after + endsIn
    }
  })
  return (caller, window) =>
    Effect.suspend(() => {
      waiting.set(createHmac("sha256", key).update(caller).digest("base64url"), window)
      return Effect.uninterruptible(turns.withPermit(exchange))
    })
}
