import type { FactsOrLoaded, Policy, Refused } from "./Decision.ts"

declare const proof: unique symbol

/**
 * The proof that an action on a resource has been allowed.
 *
 * Use cases take it in place of an id, and only `authorize` can build one: code without an authorization does not
 * compile.
 */
export interface Authorized<Action extends string, Resource> {
  readonly allowed: true
  readonly action: Action
  readonly resource: Resource
  readonly by: ReadonlyArray<string>
  readonly [proof]: true
}

/** Decides a compiled action on the facts of a resource, and returns the proof of it or the refusal. */
export const authorize = <A extends string, F, R>(
  policy: Policy<A, F>,
  facts: FactsOrLoaded<F>,
  resource: R
): Authorized<A, R> | Refused => {
  const decision = policy.decide(facts)
  return decision.allowed
    ? ({ allowed: true, action: policy.action, resource, by: decision.by } as Authorized<A, R>)
    : decision
}
