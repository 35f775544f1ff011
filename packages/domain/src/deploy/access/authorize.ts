import { Effect, Schema } from "effect"
import { authorize as authorizeBy, type Authorized as Proof } from "../../access/Authorized.ts"
import { type Policy, policy } from "../../access/Decision.ts"
import { layoutOf } from "../../access/Loaded.ts"
import { type Ability, type CallerFacts, callerVocabulary, factsOf } from "./abilities.ts"
import { type Action, actions } from "./actions.ts"
import { rules } from "./rules.ts"

/** Who is asking: the token in use and what it may do. */
export interface Caller {
  readonly tokenUuid: string
  readonly abilities: ReadonlyArray<Ability>
}

/** The proof that a caller, its resource, may do `A`; use cases take it. Only `authorize` and `system` give one. */
export type Authorized<A extends Action> = Proof<A, Caller>

/** Reports that a caller may not do something, with the rule that would have let it. */
export class NotAuthorized extends Schema.TaggedError<NotAuthorized>()("NotAuthorized", {
  action: Schema.String,
  rule: Schema.String,
  because: Schema.String
}) {}

const layout = layoutOf(callerVocabulary)

const policyOf = <A extends Action>(action: A): Policy<A, CallerFacts> => {
  const id = actions[action]
  const { because, when } = rules[id]
  const answer = { status: 403, message: because }
  const check = { id, stage: "ability", grants: [{ id, when, because }], forbids: [], answer, because }
  return policy(action, [check], layout)
}

const policies = Object.fromEntries(
  (Object.keys(actions) as ReadonlyArray<Action>).map((action) => [action, policyOf(action)])
) as unknown as { readonly [A in Action]: Policy<A, CallerFacts> }

/** Tells whether a caller may do `action`, without Effect. */
export const may = (caller: Caller, action: Action): boolean => policies[action].allows(factsOf(caller.abilities))

/** Returns the proof that a caller may do `action`; fails with the rule that it lacks. */
export const authorize = <A extends Action>(caller: Caller, action: A): Effect.Effect<Authorized<A>, NotAuthorized> => {
  const decided = authorizeBy<A, CallerFacts, Caller>(policies[action], factsOf(caller.abilities), caller)
  if (decided.allowed) return Effect.succeed(decided)
  return Effect.fail(new NotAuthorized({ action, rule: actions[action], because: rules[actions[action]].because }))
}

/** Returns the proof for what the program does on its own behalf, such as its first start. */
export const system = <A extends Action>(action: A): Authorized<A> =>
  Effect.runSync(authorize({ tokenUuid: "system", abilities: ["root"] }, action))
