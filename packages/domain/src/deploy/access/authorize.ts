import { Effect, Schema } from "effect"
import { compile } from "../../access/Condition.ts"
import { type Ability, factsOf } from "./abilities.ts"
import { type Action, actions } from "./actions.ts"
import { type RuleId, rules } from "./rules.ts"

/** Who is asking: the token in use and what it may do. */
export interface Caller {
  readonly tokenUuid: string
  readonly abilities: ReadonlyArray<Ability>
}

declare const proof: unique symbol

/**
 * Proves that `caller` may do `A`; use cases take it, so that what hasn't been authorized doesn't compile.
 *
 * Only `authorize` and `system` make one.
 */
export interface Authorized<A extends Action> {
  readonly action: A
  readonly caller: Caller
  readonly [proof]: A
}

/** Reports that a caller may not do something, with the rule that would have let it. */
export class NotAuthorized extends Schema.TaggedError<NotAuthorized>()("NotAuthorized", {
  action: Schema.String,
  rule: Schema.String,
  because: Schema.String
}) {}

const ruleIds = Object.keys(rules) as ReadonlyArray<RuleId>
const compiled = Object.fromEntries(ruleIds.map((id) => [id, compile(rules[id].when)])) as Readonly<
  Record<RuleId, ReturnType<typeof compile<ReturnType<typeof factsOf>>>>
>

const prove = <A extends Action>(caller: Caller, action: A) => ({ action, caller }) as Authorized<A>

/** Tells whether a caller may do `action`, without Effect. */
export const may = (caller: Caller, action: Action): boolean => compiled[actions[action]](factsOf(caller.abilities))

/** Returns the proof that a caller may do `action`; fails with the rule that it lacks. */
export const authorize = <A extends Action>(caller: Caller, action: A): Effect.Effect<Authorized<A>, NotAuthorized> =>
  may(caller, action)
    ? Effect.succeed(prove(caller, action))
    : Effect.fail(new NotAuthorized({ action, rule: actions[action], because: rules[actions[action]].because }))

/** Returns the proof for what the program does on its own behalf, such as its first start. */
export const system = <A extends Action>(action: A): Authorized<A> =>
  prove({ tokenUuid: "system", abilities: ["root"] }, action)
