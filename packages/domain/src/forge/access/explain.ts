import { compile, type Predicate } from "../../access/Condition.ts"
import { type Answer, type Decision, isHidden, passes } from "../../access/Decision.ts"
import type { Vocabulary } from "../../access/Facts.ts"
import { Loaded } from "../../access/Loaded.ts"
import { type Tree, toTree } from "../../access/Prose.ts"
import type { ActionName } from "./actions.ts"
import { decide, type FactsFor, type Given, policyOf, rulebookOf } from "./decide.ts"

/** One step on the way to a decision: what was asked, whether it passed, and the reasons that hold. */
export interface Step {
  readonly stage: string
  readonly asks: string
  readonly passed: boolean
  readonly because: ReadonlyArray<string>
  readonly tree: Tree
}

/** Why an action is allowed or refused. A hidden thing has no steps: its answer is the one of a missing thing. */
export interface Explanation {
  readonly action: ActionName
  readonly allowed: boolean
  readonly answer?: Answer
  /** The rules that decided; none of a hidden thing. */
  readonly by: ReadonlyArray<string>
  readonly steps: ReadonlyArray<Step>
}

/** Explains an action on loaded facts, step by step up to the one that refuses. */
export const explain = <A extends ActionName>(action: A, given: Given<A>): Explanation => {
  const facts = given instanceof Loaded ? given.facts : given
  const decision: Decision = decide(action, facts)
  return !decision.allowed && isHidden(decision)
    ? { action, allowed: false, answer: decision.answer, by: [], steps: [] }
    : explainToKeeper(action, facts)
}

/** Explains an action to somebody who looks after the thing: also why it is hidden from whoever the facts are about. */
export const explainToKeeper = <A extends ActionName>(action: A, facts: FactsFor<A>): Explanation => {
  const decision: Decision = decide(action, facts)
  const { vocabularies } = rulebookOf(facts)
  const { on } = rulebookOf(facts).actionOf(action)
  const holds = (predicate: Predicate<FactsFor<A>>) => predicate(facts)
  const steps: Array<Step> = []
  for (const check of policyOf(action, facts).checks) {
    const condition = passes(check)
    const tree = toTree(condition, facts, vocabularies[on] as Vocabulary)
    const rules = tree.holds ? check.grants : check.forbids
    const because = rules.filter((rule) => holds(compile(rule.when))).map((rule) => `${rule.id}: ${rule.because}`)
    steps.push({ stage: check.stage, asks: check.because, passed: tree.holds, because, tree })
    if (!tree.holds) break
  }
  return decision.allowed
    ? { action, allowed: true, by: decision.by, steps }
    : { action, allowed: false, answer: decision.answer, by: decision.by, steps }
}

/** Returns an explanation as lines of text, one for each step. */
export const explanationLines = (explanation: Explanation): ReadonlyArray<string> => [
  explanation.allowed
    ? `${explanation.action} is allowed`
    : `${explanation.action} is refused: ${explanation.answer?.status} ${explanation.answer?.message}`,
  ...explanation.steps.map(
    (step) =>
      `${step.passed ? "+" : "-"} ${step.stage}: ${step.asks}${step.because.length === 0 ? "" : ` (${step.because.join("; ")})`}`
  )
]
