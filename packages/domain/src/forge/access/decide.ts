import { type Authorized, authorize as authorizeBy } from "../../access/Authorized.ts"
import {
  type Check,
  type Decision,
  type FactsOrLoaded,
  type Policy,
  policy,
  type Refused
} from "../../access/Decision.ts"
import type { Action } from "./Action.ts"
import { type ActionName, actions, type KindOf } from "./actions.ts"
import { publicOnlyChecks, scopeChecks } from "./credential.ts"
import type { FactsAbout, Kind } from "./facts.ts"
import { guardChecks } from "./guards/table.ts"
import { layouts } from "./load.ts"
import { stagesOf } from "./order.ts"

/** The facts that decide an action. */
export type FactsFor<A extends ActionName> = FactsAbout<KindOf<A>>

/** Facts about the thing of an action, as a record or made ready by `load`. */
export type Given<A extends ActionName> = FactsOrLoaded<FactsFor<A>>

/** Returns the checks of an action in the order they are asked. */
export const checksOf = <K extends Kind>(action: Action<K>): ReadonlyArray<Check<FactsAbout<K>>> => {
  const table: Readonly<Record<string, ReadonlyArray<Check<FactsAbout<K>>>>> = guardChecks[action.on]
  const checks: ReadonlyArray<Check<FactsAbout<K>>> = [
    ...scopeChecks(action),
    ...publicOnlyChecks(action),
    ...[...action.guards, ...action.asks].flatMap((guard) => table[guard] as ReadonlyArray<Check<FactsAbout<K>>>)
  ]
  return stagesOf(action).flatMap((stage) => checks.filter((check) => check.stage === stage))
}

// Actions that ask the same share their compiled checks, so that loading compiles each distinct list once.
const shared = new Map<string, Policy<string, unknown>>()
const compiled = (name: string, action: Action): Policy<string, unknown> => {
  const { access, asks, guards, on, publicOnly, scope, signInFirst } = action
  const key = JSON.stringify([on, access, scope, guards, asks, publicOnly, signInFirst])
  const known = shared.get(key) ?? policy(name, checksOf(action) as ReadonlyArray<Check<unknown>>, layouts[on])
  shared.set(key, known)
  return { ...known, action: name }
}

const policies = Object.fromEntries(
  Object.entries<Action>(actions).map(([name, action]) => [name, compiled(name, action)])
) as unknown as { readonly [A in ActionName]: Policy<A, FactsFor<A>> }

/** Returns the compiled policy of an action: compile once per endpoint, then decide on the facts of each request. */
export const policyOf = <A extends ActionName>(action: A): Policy<A, FactsFor<A>> => policies[action]

/** Whether loaded facts allow an action. */
export const allows = <A extends ActionName>(action: A, facts: Given<A>): boolean => policies[action].allows(facts)

/** Decides an action on loaded facts, and names the rules that decided. */
export const decide = <A extends ActionName>(action: A, facts: Given<A>): Decision => policies[action].decide(facts)

/** Decides an action on the facts of a resource, and returns the proof that a use case takes or the refusal. */
export const authorize = <A extends ActionName, R>(
  action: A,
  facts: Given<A>,
  resource: R
): Authorized<A, R> | Refused => authorizeBy(policies[action], facts, resource)
