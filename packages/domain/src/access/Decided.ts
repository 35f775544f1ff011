import { Effect } from "effect"
import { traced } from "../Traced.ts"
import type { Decision } from "./Decision.ts"

/** Tells traces and metrics of a decision on an action, and which rules made it, where somebody looks. */
export const decided = (action: string, decision: Decision): Effect.Effect<void> =>
  traced("decision", {
    action,
    outcome: decision.allowed ? "allowed" : "refused",
    rule: decision.allowed ? decision.by.join(" ") || "none" : decision.check
  })(Effect.void)
