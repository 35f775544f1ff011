import type { Answer, Decision } from "@slipway/access"
import type { ActionName } from "../access/actions.ts"
import type { FactsFor } from "../access/decide.ts"
import { text } from "./generated/table.ts"

export type { Decision } from "@slipway/access"
export type { ActionName } from "../access/actions.ts"
export type { FactsFor } from "../access/decide.ts"

/**
 * A condition in compact JSON form: the name of a boolean fact, a fact with a value or a minimum level, or an operator
 * with conditions.
 */
export type Compact = string | CompactValue | CompactTree
type CompactValue = readonly [fact: string, value: string | number]
interface CompactTree extends ReadonlyArray<0 | 1 | 2 | Compact> {
  readonly 0: 0 | 1 | 2
}

/**
 * The built-in access rules in compact JSON form: entries refer to each other by index, and explanations are left out.
 */
export interface CompactTable {
  readonly rules: ReadonlyArray<readonly [id: string, when: Compact]>
  readonly answers: ReadonlyArray<readonly [status: number, message: string]>
  readonly checks: ReadonlyArray<
    readonly [id: string, grants: ReadonlyArray<number>, forbids: ReadonlyArray<number>, answer: number]
  >
  /**
   * The checks of actions. Each entry has the indexes of its checks and of the rules that can grant access, and the
   * names of the actions that share it.
   */
  readonly policies: ReadonlyArray<
    readonly [checks: ReadonlyArray<number>, grants: ReadonlyArray<number>, names: string]
  >
}

const table = JSON.parse(text) as CompactTable

type Policy = CompactTable["policies"][number]

const policies = new Map(
  table.policies.flatMap((policy) => policy[2].split(" ").map((name): [string, Policy] => [name, policy]))
)

type Facts = Readonly<Record<string, unknown>>

const asked = (facts: Facts, name: string): unknown => {
  const value = facts[name]
  if (value === undefined) throw new Error(`the fact \`${name}\` is missing`)
  return value
}

const holds = (condition: Compact, facts: Facts): boolean => {
  if (typeof condition === "string") return asked(facts, condition) === true
  const [operator, ...of] = condition
  if (typeof operator === "string") {
    const value = asked(facts, operator)
    return typeof of[0] === "number" ? Number(value) >= of[0] : value === of[0]
  }
  const each = (one: unknown) => holds(one as Compact, facts)
  return operator === 0 ? !of.some(each) : operator === 1 ? of.every(each) : of.some(each)
}

const idsOf = (rules: ReadonlyArray<number>, facts: Facts): ReadonlyArray<string> =>
  rules.flatMap((rule) => {
    const [id, when] = table.rules[rule] as CompactTable["rules"][number]
    return holds(when, facts) ? [id] : []
  })

/**
 * Decides by the built-in rules whether facts allow an action. Returns the decision with the names of the rules that
 * led to it.
 */
export const decide = <A extends ActionName>(action: A, facts: FactsFor<A>): Decision => {
  const policy = policies.get(action)
  if (policy === undefined) throw new Error(`\`${action}\` is not an action`)
  const known = facts as unknown as Facts
  for (const place of policy[0]) {
    const [check, grants, forbids, answered] = table.checks[place] as CompactTable["checks"][number]
    const stops = idsOf(forbids, known)
    if (stops.length > 0 || (grants.length > 0 && idsOf(grants, known).length === 0)) {
      const [status, message] = table.answers[answered] as CompactTable["answers"][number]
      const answer: Answer = { status, message }
      return { allowed: false, check, by: stops.length > 0 ? stops : [check], answer }
    }
  }
  return { allowed: true, by: idsOf(policy[1], known) }
}

/** Returns whether facts allow an action by the built-in rules, ignoring custom rules of the site. */
export const allows = <A extends ActionName>(action: A, facts: FactsFor<A>): boolean => decide(action, facts).allowed
