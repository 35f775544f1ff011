import type { FactsOrLoaded, Policy, Refused } from "./Decision.ts"

declare const proof: unique symbol

/**
 * The proof that the access rules allow a caller an action on a resource.
 *
 * Use cases take a proof instead of a resource id, and only `authorize` can build one. Code that skips the
 * authorization does not compile.
 */
export interface Authorized<Action extends string, Resource> {
  readonly allowed: true
  readonly action: Action
  readonly resource: Resource
  readonly by: ReadonlyArray<string>
  readonly [proof]: true
}

/** Decides an action with its compiled rules. Returns the authorization proof with the resource, or the refusal. */
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
