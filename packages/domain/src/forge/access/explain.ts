import { type Decision, isHidden, Loaded } from "@slipway/access"
import type { ActionName } from "./actions.ts"
import { changesBy } from "./changes.ts"
import { type ActionFacts, decide, type FactsFor, rulebookOf } from "./decide.ts"
import { type Explanation, explanationBy } from "./explanation.ts"

/** Explains a decision to its caller: the checks up to the first failed one; no checks for a hidden resource. */
export const explain = <A extends ActionName>(action: A, actionFacts: ActionFacts<A>): Explanation => {
  const facts = actionFacts instanceof Loaded ? actionFacts.facts : actionFacts
  const decision: Decision = decide(action, facts)
  return !decision.allowed && isHidden(decision)
    ? { action, allowed: false, answer: decision.answer, by: [], steps: [] }
    : explainToKeeper(action, facts)
}

/** Explains a decision to a maintainer of the resource, also if the resource is hidden from the caller in `facts`. */
export const explainToKeeper = <A extends ActionName>(action: A, facts: FactsFor<A>): Explanation =>
  explanationBy(rulebookOf(facts), action, facts)

/** Returns sentences with the smallest changes of facts (inputs of access rules) that would reverse a decision. */
export const changesOf = <A extends ActionName>(action: A, facts: FactsFor<A>): ReadonlyArray<string> =>
  changesBy(rulebookOf(facts), action, facts)
