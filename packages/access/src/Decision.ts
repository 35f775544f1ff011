import { type Condition, factsIn, type Predicate } from "./Condition.ts"
import { bitsOf, compileBits, compileChain, type Layout, Loaded } from "./Loaded.ts"

/** The status and message that a refused caller receives. */
export interface Answer {
  readonly status: number
  readonly message: string
}

/** A rule that allows or denies, with its name and reason. */
export interface Rule<F> {
  readonly id: string
  readonly when: Condition<F>
  readonly because: string
}

/**
 * A check of an action, with the response for a failed check.
 *
 * The check passes if at least one of its grants applies (or it has no grants) and no deny rule applies. The order of
 * rules has no effect.
 */
export interface Check<F> {
  readonly id: string
  readonly stage: string
  readonly grants: ReadonlyArray<Rule<F>>
  readonly forbids: ReadonlyArray<Rule<F>>
  readonly answer: Answer
  readonly because: string
}

/** The action is allowed; `by` names the rules that allow it. */
export interface Allowed {
  readonly allowed: true
  readonly by: ReadonlyArray<string>
}

/** The action is rejected at `check`; `by` has the ids of the denying rules, or of the check if no rule allows it. */
export interface Refused {
  readonly allowed: false
  readonly check: string
  readonly by: ReadonlyArray<string>
  readonly answer: Answer
}

/** The result of a decision on an action, with the rules that decided. */
export type Decision = Allowed | Refused

/** Returns whether a decision is a refusal that hides the resource (status 404). Its reasons are never disclosed. */
export const isHidden = (decision: Decision): boolean => !decision.allowed && decision.answer.status === 404

/** Returns the condition under which a check passes: one of its grants applies, and none of its deny rules. */
export const passes = <F>(check: Check<F>): Condition<F> => ({
  op: "all",
  of: [
    ...(check.grants.length === 0 ? [] : [{ op: "any" as const, of: check.grants.map((rule) => rule.when) }]),
    ...check.forbids.map((rule) => ({ op: "not" as const, of: rule.when }))
  ]
})

/**
 * Selects the checks with the grants that explain an allowed action.
 *
 * These are the checks of the last stage with grants, without checks that another check implies. Permission to see a
 * resource does not explain permission to change it.
 */
const decisive = <F>(checks: ReadonlyArray<Check<F>>): ReadonlyArray<Check<F>> => {
  const stage = checks.findLast((check) => check.grants.length > 0)?.stage
  const granting = checks.filter((check) => check.stage === stage && check.grants.length > 0)
  const ids = (check: Check<F>) => new Set(check.grants.map((rule) => rule.id))
  return granting.filter(
    (check, place) =>
      !granting.some((other, at) => {
        const own = ids(check)
        const within = [...ids(other)].every((id) => own.has(id))
        return within && (at > place || ids(other).size < own.size)
      })
  )
}

/** Facts as a plain record, or packed once as `Loaded` for many decisions. */
export type FactsOrLoaded<F> = F | Loaded<F>

/** An action with its checks in order of evaluation, compiled once. */
export interface Policy<A extends string, F> {
  readonly action: A
  readonly checks: ReadonlyArray<Check<F>>
  /** The rules that explain an allowed action. A decision names those that apply. */
  readonly grants: ReadonlyArray<Rule<F>>
  /** The complete condition under which the action is allowed; lists translate it to SQL. */
  readonly condition: Condition<F>
  /** Returns whether the action is allowed, without the deciding rules. */
  readonly allows: (facts: FactsOrLoaded<F>) => boolean
  /** Decides the action, and returns the decision with the deciding rules. */
  readonly decide: (facts: FactsOrLoaded<F>) => Decision
}

/**
 * Compiles rules into a function that returns the ids of the rules that apply to a row of fact bits. The result for
 * each set of rules is built once with `make` and shared. Throws for more than 16 rules.
 */
const matchingRules = <F, A>(rules: ReadonlyArray<Rule<F>>, layout: Layout, make: (by: ReadonlyArray<string>) => A) => {
  if (rules.length > 16) throw new Error("too many rules for one check")
  const tests = rules.map((rule) => compileBits(rule.when, layout))
  const cache: Array<A | undefined> = []
  return (bits: Int32Array): A => {
    let held = 0
    for (let i = 0; i < tests.length; i++) if ((tests[i] as Predicate<Int32Array>)(bits)) held |= 1 << i
    const known = cache[held]
    if (known !== undefined) return known
    const value = make(rules.filter((_, i) => (held & (1 << i)) !== 0).map((rule) => rule.id))
    cache[held] = value
    return value
  }
}

/** Compiles the checks of an action, in order of evaluation, for facts with the given layout. */
export const policy = <A extends string, F>(
  action: A,
  checks: ReadonlyArray<Check<F>>,
  layout: Layout
): Policy<A, F> => {
  const condition: Condition<F> = { op: "all", of: checks.map(passes) }
  const admits = compileBits(condition, layout)
  const failing = compileChain(checks.map(passes), layout)
  const refuse = checks.map((check) =>
    matchingRules(
      check.forbids,
      layout,
      (by): Refused => ({
        allowed: false,
        check: check.id,
        by: by.length === 0 ? [check.id] : by,
        answer: check.answer
      })
    )
  )
  const named = new Map<string, Rule<F>>()
  for (const rule of decisive(checks).flatMap((check) => check.grants)) {
    const known = named.get(rule.id) ?? rule
    if (JSON.stringify(known.when) !== JSON.stringify(rule.when)) {
      throw new Error(`\`${action}\` has two conditions for the rule \`${rule.id}\``)
    }
    named.set(rule.id, known)
  }
  const grants = [...named.values()]
  const allow = matchingRules(grants, layout, (by): Allowed => ({ allowed: true, by }))
  // Only the facts that the action uses are read from a plain record.
  const asked = new Set<string>(factsIn(condition))
  const slots = layout.order.filter((slot) => asked.has(slot.name))
  const read = (facts: FactsOrLoaded<F>): Int32Array => {
    if (!(facts instanceof Loaded)) return bitsOf(layout, facts, slots)
    if (facts.layout !== layout) throw new Error(`\`${action}\` is decided on facts other than these`)
    return facts.bits
  }
  return {
    action,
    checks,
    grants,
    condition,
    allows: (facts) => admits(read(facts)),
    decide: (facts) => {
      const bits = read(facts)
      const place = failing(bits)
      return place < 0 ? allow(bits) : (refuse[place] as (bits: Int32Array) => Refused)(bits)
    }
  }
}
