import { Context, Effect } from "effect"

/** Waits until the service is to end, when answers that last end at once. */
export const Ending = Context.Reference<Effect.Effect<void>>("@slipway/http/Ending", {
  defaultValue: () => Effect.never
})
