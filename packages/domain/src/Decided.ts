import type { Decision } from "@slipway/access"
import { Effect } from "effect"
import { ifTraced } from "./Traced.ts"

/** Runs the effect that follows an access decision; with tracing or metrics, also records the rules that decided. */
export const decided = <A, E, R>(
  action: string,
  decision: Decision,
  answer: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  ifTraced(() => {
    const outcome = decision.allowed ? "allowed" : "refused"
    const rule = decision.allowed ? decision.by.join(" ") || "none" : decision.check
    const attributes = { action, outcome, rule }
    return Effect.andThen(
      Effect.useSpan("decision", { attributes }, () => Effect.void),
      answer
    )
  }, answer)
