import { type Authorized, authorize } from "./Authorized.ts"
import type { Policy, Refused } from "./Decision.ts"

/**
 * Describes how an access decision on one resource type builds its facts (the values that rules test) and the resource
 * for the proof from the loaded data.
 */
export interface Subject<Who, Found, Facts, Resource> {
  /** Returns the facts that rules test. Without `found`, the resource is missing, and they must reject every action. */
  readonly facts: (who: Who, found: Found | undefined) => Facts
  /** Returns the resource for the authorization proof; undefined if a part of the resource is missing. */
  readonly resource: (who: Who, found: Found | undefined, facts: Facts) => Resource | undefined
}

/**
 * Decides an action on a loaded resource. Returns the authorization proof, which contains the resource, or the refusal.
 *
 * Throws if the rules allow the action on a missing resource, since no proof can exist for it.
 */
export const decideOn = <A extends string, Who, Found, Facts, Resource>(
  policy: Policy<A, Facts>,
  { facts: factsOf, resource: resourceOf }: Subject<Who, Found, Facts, Resource>,
  who: Who,
  found: Found | undefined
): Authorized<A, Resource> | Refused => {
  const facts = factsOf(who, found)
  const resource = resourceOf(who, found, facts)
  if (resource !== undefined) return authorize(policy, facts, resource)
  const decision = policy.decide(facts)
  if (decision.allowed) throw new Error(`\`${policy.action}\` is allowed on a missing resource`)
  return decision
}
