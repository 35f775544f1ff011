import type { Node } from "../Condition.ts"
import { type Check, type Decision, passes } from "../Decision.ts"
import { type AnyRecord, type Diagram, never } from "./Diagrams.ts"
import { matchingNames, type Pattern, ruleIds, type Statement } from "./statements.ts"
import { applicable, Prover, type Space, type Theory } from "./Theory.ts"

/** An action and a possible record of facts, as an access request in a counterexample. */
export interface Request {
  readonly action: string
  readonly facts: AnyRecord
  readonly decision: Decision
}

/**
 * The result of a statement about the rules. A false statement has the smallest counterexample. For a `dead` rule, the
 * counterexample is a request that the rule decides.
 */
export interface Proof {
  readonly statement: Statement
  readonly holds: boolean
  /** The number of checked cases: actions, pairs of actions, or rules. */
  readonly cases: number
  /** The names of the cases for which the statement is false. */
  readonly failing: ReadonlyArray<string>
  /** One or two requests on the same resource that contradict the statement; empty if it holds. */
  readonly counterexample: ReadonlyArray<Request>
}

/** One case of a statement, with the requests that contradict the statement. */
interface Case {
  readonly name: string
  readonly counterexample: ReadonlyArray<Request> | undefined
}

const requestOf = (prover: Prover, action: string, facts: AnyRecord, allowed: boolean): Request => {
  const { on, policy } = prover.action(action)
  const names = Object.keys(prover.vocabularyOf(on))
  const record = Object.fromEntries(names.map((name) => [name, facts[name]])) as AnyRecord
  const decision = policy.decide(record as never)
  if (decision.allowed !== allowed) throw new Error(`the proof about \`${action}\` contradicts its decision`)
  return { action, facts: record, decision }
}

const smallest = (prover: Prover, { diagrams }: Space, found: Diagram): AnyRecord =>
  diagrams.smallest(found, prover.theory.usual) as AnyRecord

/** Returns the names of the facts in a request that do not have their usual value. */
export const unusualFacts = (prover: Prover, { action, facts }: Request): ReadonlyArray<string> =>
  prover.space(prover.action(action).on).diagrams.unusual(facts, prover.theory.usual)

const actionsOf = (prover: Prover, pattern: Pattern) => matchingNames(pattern, Object.keys(prover.theory.actions))

/**
 * Returns the set of fact records in which the caller satisfies a condition; undefined if the resource type lacks the
 * facts of the condition.
 */
const classIn = (space: Space, who: Node): Diagram | undefined => {
  const condition = applicable(who, space.vocabulary)
  return condition && space.diagrams.of(condition)
}

const neverCases = (prover: Prover, who: Node, pattern: Pattern): ReadonlyArray<Case> =>
  actionsOf(prover, pattern).flatMap((name): ReadonlyArray<Case> => {
    const space = prover.space(prover.action(name).on)
    const callers = classIn(space, who)
    if (callers === undefined) return []
    const found = space.possibly(callers, prover.allowed(name, space))
    if (found === never) return [{ name, counterexample: undefined }]
    return [{ name, counterexample: [requestOf(prover, name, smallest(prover, space, found), true)] }]
  })

/** Returns a case for each action: callers of the right class may do it whenever callers of the left class may. */
const callerCases = (prover: Prover, left: Node, right: Node, pattern: Pattern): ReadonlyArray<Case> =>
  actionsOf(prover, pattern).flatMap((name): ReadonlyArray<Case> => {
    const space = prover.space(prover.action(name).on)
    const [some, others] = [classIn(space, left), classIn(space, right)]
    if (some === undefined || others === undefined) return []
    const { diagrams } = space
    const { isAboutCaller, usual } = prover.theory
    const allowed = prover.allowed(name, space)
    const may = space.possibly(some, allowed)
    const mayNot = space.possibly(others, diagrams.not(allowed))
    const resources = diagrams.all(diagrams.some(may, isAboutCaller), diagrams.some(mayNot, isAboutCaller))
    if (resources === never) return [{ name, counterexample: undefined }]
    const resource = Object.entries(diagrams.smallest(resources, usual) as AnyRecord).filter(
      ([fact]) => !isAboutCaller(fact)
    )
    const same = diagrams.withValues(Object.fromEntries(resource))
    const request = (callers: Diagram, isAllowed: boolean) =>
      requestOf(prover, name, smallest(prover, space, diagrams.all(callers, same)), isAllowed)
    return [{ name, counterexample: [request(may, true), request(mayNot, false)] }]
  })

/**
 * Returns two requests on one resource, where the first action is allowed and the second is not; undefined if the first
 * action implies the second.
 */
const difference = (prover: Prover, one: string, other: string): ReadonlyArray<Request> | undefined => {
  const space = prover.space(prover.action(one).on, prover.action(other).on)
  const found = space.possibly(prover.allowed(one, space), space.diagrams.not(prover.allowed(other, space)))
  if (found === never) return undefined
  const facts = smallest(prover, space, found)
  return [requestOf(prover, one, facts, true), requestOf(prover, other, facts, false)]
}

const actionCases = (prover: Prover, left: Pattern, right: Pattern): ReadonlyArray<Case> =>
  actionsOf(prover, left).flatMap((one) =>
    actionsOf(prover, right)
      .filter((other) => other !== one)
      .map((other) => ({ name: `${one} implies ${other}`, counterexample: difference(prover, one, other) }))
  )

/** Returns a request that a rule allows, or denies before any other check does; undefined if there is none. */
const decidedBy = (prover: Prover, rule: string): Request | undefined => {
  for (const [name, { on, policy }] of Object.entries(prover.theory.actions)) {
    // BOUNDARY: the conditions of a policy are known by name only.
    const checks = policy.checks as ReadonlyArray<Check<unknown>>
    if (!checks.some(({ forbids, grants }) => [...grants, ...forbids].some(({ id }) => id === rule))) continue
    const space = prover.space(on)
    let before = space.possible
    for (const { forbids, grants, ...check } of checks) {
      const denies = forbids.filter(({ id }) => id === rule).map(({ when }) => space.of(when))
      const denied = space.diagrams.all(before, space.diagrams.any(...denies))
      if (denied !== never) return requestOf(prover, name, smallest(prover, space, denied), false)
      const allows = grants.filter(({ id }) => id === rule).map(({ when }) => space.of(when))
      const allowed = space.possibly(space.diagrams.any(...allows), prover.allowed(name, space))
      if (allowed !== never) return requestOf(prover, name, smallest(prover, space, allowed), true)
      before = space.diagrams.all(before, space.diagrams.of(passes({ ...check, forbids, grants })))
    }
  }
  return undefined
}

const ruleCases = (prover: Prover, pattern: Pattern, isDead: boolean): ReadonlyArray<Case> =>
  matchingNames(pattern, ruleIds(prover.theory)).map((name) => {
    const request = decidedBy(prover, name)
    if (isDead) return { name, counterexample: request && [request] }
    return { name, counterexample: request === undefined ? [] : undefined }
  })

const casesOf = (prover: Prover, statement: Statement): ReadonlyArray<Case> => {
  switch (statement.form) {
    case "never":
      return neverCases(prover, statement.who, statement.actions)
    case "callers":
      return callerCases(prover, statement.left, statement.right, statement.actions)
    case "actions":
      return actionCases(prover, statement.left, statement.right)
    case "equal": {
      const { left, right } = statement
      const counterexample = difference(prover, left, right) ?? difference(prover, right, left)
      return [{ name: `${left} ${right}`, counterexample }]
    }
    case "dead":
    case "live":
      return ruleCases(prover, statement.rules, statement.form === "dead")
  }
}

/** Checks a statement for all possible records of facts. Throws if the statement applies to no case. */
export const prove = (prover: Prover, statement: Statement): Proof => {
  const cases = casesOf(prover, statement)
  if (cases.length === 0) throw new Error(`line ${statement.line}: the statement applies to no action`)
  const failing = cases.flatMap(({ counterexample, name }) =>
    counterexample === undefined ? [] : [{ name, counterexample }]
  )
  const cost = (requests: ReadonlyArray<Request>) =>
    requests.reduce((sum, request) => sum + unusualFacts(prover, request).length, 0)
  const [least] = failing.toSorted((one, other) => cost(one.counterexample) - cost(other.counterexample))
  return {
    statement,
    holds: failing.length === 0,
    cases: cases.length,
    failing: failing.map(({ name }) => name),
    counterexample: least?.counterexample ?? []
  }
}

/** The differences of one action between two versions of the rules. */
export interface RuleChange {
  readonly action: string
  /** The request with the fewest unusual facts that only the new rules allow; undefined if there is none. */
  readonly gains: Request | undefined
  /** The request with the fewest unusual facts that only the old rules allow; undefined if there is none. */
  readonly loses: Request | undefined
}

const merged = (one: Theory, other: Theory): Theory => ({
  ...other,
  vocabularies: Object.fromEntries(
    [...new Set([...Object.keys(one.vocabularies), ...Object.keys(other.vocabularies)])].map((kind) => [
      kind,
      { ...one.vocabularies[kind], ...other.vocabularies[kind] }
    ])
  ),
  consistency: [...one.consistency, ...other.consistency]
})

/**
 * Returns the actions that two versions of the rules decide differently for at least one request.
 *
 * An added action counts as a gain, a removed action as a loss. A fact that exists in only one version may have any
 * value in the other version.
 */
export const compareRules = (before: Theory, after: Theory): ReadonlyArray<RuleChange> => {
  const [old, changed, both] = [new Prover(before), new Prover(after), new Prover(merged(before, after))]
  const only = (one: Prover, other: Prover, action: string): Request | undefined => {
    const { on, policy } = one.action(action)
    const space = both.space(on)
    const known = Object.hasOwn(other.theory.actions, action) ? other.action(action) : undefined
    // BOUNDARY: the conditions of a policy are known by name only.
    const others = known?.on === on ? space.of(known.policy.condition as Node) : never
    const own = space.of(policy.condition as Node)
    if (own === others) return undefined
    const found = space.possibly(own, space.diagrams.not(others))
    return found === never ? undefined : requestOf(one, action, smallest(one, space, found), true)
  }
  const names = [...new Set([...Object.keys(before.actions), ...Object.keys(after.actions)])]
  return names.flatMap((action): ReadonlyArray<RuleChange> => {
    const gains = Object.hasOwn(after.actions, action) ? only(changed, old, action) : undefined
    const loses = Object.hasOwn(before.actions, action) ? only(old, changed, action) : undefined
    return gains === undefined && loses === undefined ? [] : [{ action, gains, loses }]
  })
}
