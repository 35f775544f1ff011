import { memoize } from "../../../memoize.ts"
import type { CallerFacts, SiteFacts, SwitchFacts } from "./facts.ts"

const under = memoize(
  (switches: SwitchFacts) => memoize((facts: CallerFacts): SiteFacts => ({ ...switches, ...facts }), 1_000),
  10
)

/**
 * Returns the facts of every request: the operator's switches, and the caller.
 *
 * Equal callers have the same facts (`callerFacts`), so these are built once.
 */
export const siteFactsOf = (switches: SwitchFacts, caller: CallerFacts): SiteFacts => under(switches)(caller)
