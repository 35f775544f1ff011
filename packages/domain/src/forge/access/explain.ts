import { type Decision, isHidden, Loaded } from "@slipway/access"
import type { ActionName } from "./actions.ts"
import { changesBy } from "./changes.ts"
import { type ActionFacts, decide, type FactsFor, rulebookOf } from "./decide.ts"
import { type Explanation, explanationBy } from "./explanation.ts"

/** Explains the decision on an action with loaded facts: its checks in order, up to the first one that fails. */
export const explain = <A extends ActionName>(action: A, actionFacts: ActionFacts<A>): Explanation => {
  const facts = actionFacts instanceof Loaded ? actionFacts.facts : actionFacts
  const decision: Decision = decide(action, facts)
  return !decision.allowed && isHidden(decision)
    ? { action, allowed: false, answer: decision.answer, by: [], steps: [] }
    : explainToKeeper(action, facts)
}

/** Explains an action to a maintainer of the resource, including why it is hidden from the user of the facts. */
export const explainToKeeper = <A extends ActionName>(action: A, facts: FactsFor<A>): Explanation =>
  explanationBy(rulebookOf(facts), action, facts)

/** Returns the changes that would reverse the decision on an action, by the rules in the facts. */
export const changesOf = <A extends ActionName>(action: A, facts: FactsFor<A>): ReadonlyArray<string> =>
  changesBy(rulebookOf(facts), action, facts)
