import type { Vocabulary } from "@slipway/access"
import { type Answer, compile, type Predicate, passes, type Tree, toTree } from "@slipway/access"
import type { ActionName } from "./actions.ts"
import type { Rulebook } from "./Rulebook.ts"

/** One check in the explanation of a decision: what it requires, whether it passed, and the reasons. */
export interface Step {
  readonly stage: string
  readonly asks: string
  readonly passed: boolean
  readonly because: ReadonlyArray<string>
  readonly tree: Tree
}

/**
 * The explanation of an allowed or rejected action. For a hidden resource it has no steps, because it must not differ
 * from the explanation for a missing resource.
 */
export interface Explanation<A extends string = ActionName> {
  readonly action: A
  readonly allowed: boolean
  readonly answer?: Answer
  /** The names of the rules that determined the decision; empty for a hidden resource. */
  readonly by: ReadonlyArray<string>
  readonly steps: ReadonlyArray<Step>
}

/** Explains a decision to a maintainer of the resource: the checks in order, up to the first failed one. */
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

/** Formats an explanation as lines of text, one line per check. */
export const explanationLines = (explanation: Explanation<string>): ReadonlyArray<string> => [
  explanation.allowed
    ? `${explanation.action} is allowed`
    : `${explanation.action} is refused: ${explanation.answer?.status} ${explanation.answer?.message}`,
  ...explanation.steps.map(
    (step) =>
      `${step.passed ? "+" : "-"} ${step.stage}: ${step.asks}${step.because.length === 0 ? "" : ` (${step.because.join("; ")})`}`
  )
]
