import { Context, Effect } from "effect"

/** An effect that completes when the service begins to shut down; event streams end then. */
export const ShutdownSignal = Context.Reference<Effect.Effect<void>>("@slipway/http/ShutdownSignal", {
  defaultValue: () => Effect.never
})
