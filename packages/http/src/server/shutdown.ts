import { Context, Effect } from "effect"

/** Waits for the service to shut down, when long-lived answers end immediately. */
export const ShutdownSignal = Context.Reference<Effect.Effect<void>>("@slipway/http/ShutdownSignal", {
  defaultValue: () => Effect.never
})
