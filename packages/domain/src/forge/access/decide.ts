import type { Check, Decision, FactsOrLoaded, Policy, Refused } from "@slipway/access"
import { type Authorized, authorize as authorizeBy, Loaded } from "@slipway/access"
import type { ActionName, KindOf } from "./actions.ts"
import type { FactsAbout } from "./facts/facts.ts"
import { PolicySet } from "./PolicySet.ts"
import type { Rulebook } from "./Rulebook.ts"
import { rulebookKey, type WithRulebook } from "./rulebookKey.ts"

/** The facts (inputs of access rules) about the caller and the resource that decide an action. */
export type FactsFor<A extends ActionName> = FactsAbout<KindOf<A>>

/** The facts (inputs of access rules) that decide an action, as a record, or prepared by `load` for many decisions. */
export type ActionFacts<A extends ActionName> = FactsOrLoaded<FactsFor<A>>

/** Returns the rulebook that facts refer to; the built-in one if they refer to none. */
export const rulebookOf = (facts: WithRulebook): Rulebook =>
  // BOUNDARY: `PolicySet.at` adds it; the type of facts does not include rules.
  (facts[rulebookKey] as Rulebook | undefined) ?? PolicySet.builtIn.rulebook

/** Returns the compiled policy of an action from the rulebook that `facts` refers to; the built-in one by default. */
export const policyOf = <A extends ActionName>(action: A, facts: WithRulebook = {}): Policy<A, FactsFor<A>> =>
  // BOUNDARY: the policies of a rulebook are found by name.
  rulebookOf(facts).policyOf(action) as unknown as Policy<A, FactsFor<A>>

/** Returns the access checks of an action in the order of evaluation. */
export const checksOf = <A extends ActionName>(
  action: A,
  facts: WithRulebook = {}
): ReadonlyArray<Check<FactsFor<A>>> => policyOf(action, facts).checks

const policyFor = <A extends ActionName>(action: A, facts: ActionFacts<A>) =>
  policyOf(action, facts instanceof Loaded ? facts.facts : facts)

/** Returns whether the access rules allow an action with these facts. */
export const allows = <A extends ActionName>(action: A, facts: ActionFacts<A>): boolean =>
  policyFor(action, facts).allows(facts)

/** Decides an action with these facts; the decision contains the names of the rules that determined it. */
export const decide = <A extends ActionName>(action: A, facts: ActionFacts<A>): Decision =>
  policyFor(action, facts).decide(facts)

/**
 * Decides an action on a resource with its facts; returns the proof of access that use cases require, or the refusal.
 */
export const authorize = <A extends ActionName, R>(
  action: A,
  facts: ActionFacts<A>,
  resource: R
): Authorized<A, R> | Refused => authorizeBy(policyFor(action, facts), facts, resource)
