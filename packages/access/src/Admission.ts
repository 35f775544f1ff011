import { type Authorized, authorize } from "./Authorized.ts"
import type { Policy, Refused } from "./Decision.ts"

/** The subject of a decision on one resource type: how facts and proof are made from the loaded data. */
export interface Subject<Who, Found, Facts, Resource> {
  /** Returns the facts that decide; every action on a missing resource is rejected. */
  readonly facts: (who: Who, found: Found | undefined) => Facts
  /** Returns the resource that the proof is about; undefined when part of it is missing. */
  readonly resource: (who: Who, found: Found | undefined, facts: Facts) => Resource | undefined
}

/** Decides an action on a loaded resource: the proof contains the resource, and a missing resource has no proof. */
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
