import type { Decision } from "@slipway/access"
import { Effect } from "effect"
import { whereWatched } from "./Traced.ts"

/** Goes on with what follows a decision on an action, and tells traces and metrics which rules made it, where somebody looks. */
export const decided = <A, E, R>(
  action: string,
  decision: Decision,
  answer: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  whereWatched(() => {
    const outcome = decision.allowed ? "allowed" : "refused"
    const rule = decision.allowed ? decision.by.join(" ") || "none" : decision.check
    const attributes = { action, outcome, rule }
    return Effect.andThen(
      Effect.useSpan("decision", { attributes }, () => Effect.void),
      answer
    )
  }, answer)
