import type { Condition, Predicate } from "./Condition.ts"
import { compile } from "./Condition.ts"

/** What a refused caller is told: a status and its text. */
export interface Answer {
  readonly status: number
  readonly message: string
}

/** A rule that admits or stops, with its name and the reason for it. */
export interface Rule<F> {
  readonly id: string
  readonly when: Condition<F>
  readonly because: string
}

/**
 * One question that an action asks, and the answer when it fails.
 *
 * It passes when one of the grants holds (or there are none) and no forbid holds. The order of rules means nothing.
 */
export interface Check<F> {
  readonly id: string
  readonly stage: string
  readonly grants: ReadonlyArray<Rule<F>>
  readonly forbids: ReadonlyArray<Rule<F>>
  readonly answer: Answer
  readonly because: string
}

/** The action may go on; `by` names the rules that admit it. */
export interface Allowed {
  readonly allowed: true
  readonly by: ReadonlyArray<string>
}

/** The action stops at `check`; `by` names the rules that stop it, or the check itself when nothing admits. */
export interface Refused {
  readonly allowed: false
  readonly check: string
  readonly by: ReadonlyArray<string>
  readonly answer: Answer
}

/** Whether an action may go on, with the rules that decided. */
export type Decision = Allowed | Refused

/** Whether a refusal says that there is nothing there; such a refusal never shows its reasons. */
export const isHidden = (decision: Decision): boolean => !decision.allowed && decision.answer.status === 404

/** Returns the condition under which a check passes. */
export const passes = <F>(check: Check<F>): Condition<F> => ({
  op: "all",
  of: [
    ...(check.grants.length === 0 ? [] : [{ op: "any" as const, of: check.grants.map((rule) => rule.when) }]),
    ...check.forbids.map((rule) => ({ op: "not" as const, of: rule.when }))
  ]
})

/**
 * Returns the checks whose grants explain an allowed action: those of the last stage that grants anything, without the
 * ones that ask less than another. Seeing a thing doesn't explain being allowed to change it.
 */
const decisive = <F>(checks: ReadonlyArray<Check<F>>): ReadonlyArray<Check<F>> => {
  const stage = checks.findLast((check) => check.grants.length > 0)?.stage
  const granting = checks.filter((check) => check.stage === stage && check.grants.length > 0)
  const ids = (check: Check<F>) => new Set(check.grants.map((rule) => rule.id))
  return granting.filter(
    (check, place) =>
      !granting.some((other, at) => {
        const within = ids(other).isSubsetOf(ids(check))
        return within && (at > place || ids(other).size < ids(check).size)
      })
  )
}

/** An action with its checks in the order they are asked, compiled once. */
export interface Policy<A extends string, F> {
  readonly action: A
  readonly checks: ReadonlyArray<Check<F>>
  /** The one condition under which the action is allowed; lists fold it to SQL. */
  readonly condition: Condition<F>
  /** Whether the action is allowed, without reasons. */
  readonly allows: Predicate<F>
  /** The decision with the rules that made it. */
  readonly decide: (facts: F) => Decision
}

/** Compiles the checks of an action, asked in the order given. */
export const policy = <A extends string, F>(action: A, checks: ReadonlyArray<Check<F>>): Policy<A, F> => {
  const condition: Condition<F> = { op: "all", of: checks.map(passes) }
  const steps = checks.map((check) => compile(passes(check)))
  const named = new Map<string, Rule<F>>()
  for (const rule of decisive(checks).flatMap((check) => check.grants)) {
    const known = named.get(rule.id) ?? rule
    if (JSON.stringify(known.when) !== JSON.stringify(rule.when)) {
      throw new Error(`\`${action}\` has two meanings for the rule \`${rule.id}\``)
    }
    named.set(rule.id, known)
  }
  const rules = [...named.values()]
  if (rules.length > 31) throw new Error(`\`${action}\` has more rules than fit in one word`)
  const grants = rules.map((rule) => compile(rule.when))
  const forbids = checks.map((check) => check.forbids.map((rule) => ({ id: rule.id, holds: compile(rule.when) })))

  // Decisions are values: each set of deciding rules is built once and shared by every later request.
  const allowed = new Map<number, Allowed>()
  const allow = (facts: F): Allowed => {
    let held = 0
    for (let i = 0; i < grants.length; i++) if ((grants[i] as Predicate<F>)(facts)) held |= 1 << i
    const known = allowed.get(held)
    if (known !== undefined) return known
    const made: Allowed = { allowed: true, by: rules.filter((_, i) => (held & (1 << i)) !== 0).map((rule) => rule.id) }
    allowed.set(held, made)
    return made
  }
  const bare = checks.map((check): Refused => ({ allowed: false, check: check.id, by: [check.id], answer: check.answer }))
  const refuse = (place: number, facts: F): Refused => {
    const refused = bare[place] as Refused
    const rulesHere = forbids[place] as ReadonlyArray<{ id: string; holds: Predicate<F> }>
    if (rulesHere.length === 0) return refused
    const by = rulesHere.filter((rule) => rule.holds(facts)).map((rule) => rule.id)
    return by.length === 0 ? refused : { ...refused, by }
  }
  return {
    action,
    checks,
    condition,
    allows: compile(condition),
    decide: (facts) => {
      for (let i = 0; i < steps.length; i++) if (!(steps[i] as Predicate<F>)(facts)) return refuse(i, facts)
      return allow(facts)
    }
  }
}
