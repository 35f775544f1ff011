import { remembered } from "../../../remembered.ts"
import type { CallerFacts, SiteFacts, SwitchFacts } from "./facts.ts"

const under = remembered(
  (switches: SwitchFacts) => remembered((facts: CallerFacts): SiteFacts => ({ ...switches, ...facts }), 1_000),
  10
)

/**
 * Returns the facts of every request: what the operator has switched on, and who asks.
 *
 * Callers who are alike have the same facts (`callerFacts`), so that these are put together once.
 */
export const siteFactsOf = (switches: SwitchFacts, caller: CallerFacts): SiteFacts => under(switches)(caller)
