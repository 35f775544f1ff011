import type { Vocabulary } from "@slipway/access"
import { type Answer, compile, type Predicate, passes, type Tree, toTree } from "@slipway/access"
import type { ActionName } from "./actions.ts"
import type { Rulebook } from "./Rulebook.ts"

/** One step of a decision: its question, whether it passed, and the applicable reasons. */
export interface Step {
  readonly stage: string
  readonly asks: string
  readonly passed: boolean
  readonly because: ReadonlyArray<string>
  readonly tree: Tree
}

/**
 * The explanation of an allowed or rejected action. A hidden resource has no steps: its response equals that of a
 * missing one.
 */
export interface Explanation<A extends string = ActionName> {
  readonly action: A
  readonly allowed: boolean
  readonly answer?: Answer
  /** The deciding rules; none for a hidden resource. */
  readonly by: ReadonlyArray<string>
  readonly steps: ReadonlyArray<Step>
}

/** Explains an action to a maintainer of the resource: the checks in order, up to the first one that fails. */
export const explanationBy = <A extends string>(rulebook: Rulebook, action: A, facts: unknown): Explanation<A> => {
  const { checks, decide } = rulebook.policyOf(action)
  const decision = decide(facts)
  const vocabulary = rulebook.vocabularies[rulebook.actionOf(action).on] as Vocabulary
  const holds = (predicate: Predicate<unknown>) => predicate(facts)
  const steps: Array<Step> = []
  for (const check of checks) {
    const tree = toTree(passes(check), facts, vocabulary)
    const rules = tree.holds ? check.grants : check.forbids
    const because = rules.filter((rule) => holds(compile(rule.when))).map((rule) => `${rule.id}: ${rule.because}`)
    steps.push({ stage: check.stage, asks: check.because, passed: tree.holds, because, tree })
    if (!tree.holds) break
  }
  return decision.allowed
    ? { action, allowed: true, by: decision.by, steps }
    : { action, allowed: false, answer: decision.answer, by: decision.by, steps }
}

/** Returns an explanation as lines of text, one per step. */
export const explanationLines = (explanation: Explanation<string>): ReadonlyArray<string> => [
  explanation.allowed
    ? `${explanation.action} is allowed`
    : `${explanation.action} is refused: ${explanation.answer?.status} ${explanation.answer?.message}`,
  ...explanation.steps.map(
    (step) =>
      `${step.passed ? "+" : "-"} ${step.stage}: ${step.asks}${step.because.length === 0 ? "" : ` (${step.because.join("; ")})`}`
  )
]
