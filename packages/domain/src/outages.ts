import { Cause, Effect } from "effect"
import { StoreUnavailable } from "./StoreUnavailable.ts"

const unavailable = (cause: Cause.Cause<unknown>): StoreUnavailable | undefined => {
  for (const reason of cause.reasons) {
    if (Cause.isDieReason(reason) && reason.defect instanceof StoreUnavailable) return reason.defect
  }
  return undefined
}

const inOneLine = (text: string): string => text.split(/[\r\n]/, 1)[0] ?? ""

/**
 * Makes the error handler of a worker's polling loop. It logs an outage once when it begins and once when it ends.
 *
 * If the database is unavailable, the log entry is one line without a stack trace. Another failure is logged with its
 * stack trace, and again only if it changes or recurs after a success. An interruption stops the loop.
 */
export const logOutages = (what: string) => {
  let present: string | undefined
  const failed = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
    const store = unavailable(cause)
    const outage = store === undefined ? inOneLine(Cause.pretty(cause)) : "store"
    if (outage === present) return Effect.void
    present = outage
    return store === undefined ? Effect.logError(what, cause) : Effect.logError(`${what}: ${inOneLine(store.message)}`)
  }
  const succeeded = Effect.suspend(() => {
    if (present === undefined) return Effect.void
    present = undefined
    return Effect.logInfo(`${what}: over`)
  })
  return <A, E, R>(poll: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    poll.pipe(Effect.andThen(succeeded), Effect.catchCause(failed))
}
