import type { Check, Decision, FactsOrLoaded, Policy, Refused } from "@slipway/access"
import { type Authorized, authorize as authorizeBy, Loaded } from "@slipway/access"
import type { ActionName, KindOf } from "./actions.ts"
import type { FactsAbout } from "./facts/facts.ts"
import { PolicySet } from "./PolicySet.ts"
import type { Rulebook } from "./Rulebook.ts"
import { rulebookKey, type WithRulebook } from "./rulebookKey.ts"

/** The facts that decide an action. */
export type FactsFor<A extends ActionName> = FactsAbout<KindOf<A>>

/** Facts about the resource of an action, as a record or preloaded by `load`. */
export type ActionFacts<A extends ActionName> = FactsOrLoaded<FactsFor<A>>

/** Returns the rules that apply to facts. */
export const rulebookOf = (facts: WithRulebook): Rulebook =>
  // BOUNDARY: `PolicySet.at` adds it; the type of facts does not include rules.
  (facts[rulebookKey] as Rulebook | undefined) ?? PolicySet.builtIn.rulebook

/** Returns the compiled policy of an action, by the rules in the facts; the built-in ones by default. */
export const policyOf = <A extends ActionName>(action: A, facts: WithRulebook = {}): Policy<A, FactsFor<A>> =>
  // BOUNDARY: the policies of a rulebook are found by name.
  rulebookOf(facts).policyOf(action) as unknown as Policy<A, FactsFor<A>>

/** Returns the checks of an action in order of evaluation. */
export const checksOf = <A extends ActionName>(
  action: A,
  facts: WithRulebook = {}
): ReadonlyArray<Check<FactsFor<A>>> => policyOf(action, facts).checks

const policyFor = <A extends ActionName>(action: A, facts: ActionFacts<A>) =>
  policyOf(action, facts instanceof Loaded ? facts.facts : facts)

/** Returns whether loaded facts allow an action. */
export const allows = <A extends ActionName>(action: A, facts: ActionFacts<A>): boolean =>
  policyFor(action, facts).allows(facts)

/** Decides whether loaded facts allow an action; the decision contains the names of the rules that determined it. */
export const decide = <A extends ActionName>(action: A, facts: ActionFacts<A>): Decision =>
  policyFor(action, facts).decide(facts)

/** Decides an action on the facts of a resource, and returns its proof or the refusal. */
export const authorize = <A extends ActionName, R>(
  action: A,
  facts: ActionFacts<A>,
  resource: R
): Authorized<A, R> | Refused => authorizeBy(policyFor(action, facts), facts, resource)
