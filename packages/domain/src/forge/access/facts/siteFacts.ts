import { memoize } from "../../../memoize.ts"
import type { CallerFacts, SiteFacts, SwitchFacts } from "./facts.ts"

const under = memoize(
  (switches: SwitchFacts) => memoize((facts: CallerFacts): SiteFacts => ({ ...switches, ...facts }), 1_000),
  10
)

/**
 * Returns the facts that every request has: about the site's settings and the caller.
 *
 * The result is cached by the identity of both arguments; `callerFacts` returns the same object for equal callers.
 */
export const siteFactsOf = (switches: SwitchFacts, caller: CallerFacts): SiteFacts => under(switches)(caller)
