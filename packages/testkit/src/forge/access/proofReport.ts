import type { Proof, Prover, RuleChange, Statement } from "@slipway/access/proof"
import { PolicySet } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { factLines, scenarioLines } from "./counterexample.ts"

/** A function that returns a counterexample as lines of text. */
export type ShowCounterexample = (
  prover: Prover,
  found: Pick<Proof, "counterexample"> & { readonly statement: Pick<Statement, "form"> }
) => ReadonlyArray<string>

/** Returns a function that shows counterexamples as access scenarios of the forge. */
export const asScenario =
  (policy: AnyPolicySet = PolicySet.builtIn): ShowCounterexample =>
  (prover, found) =>
    scenarioLines(prover, found, policy)

/** Shows counterexamples as lists of facts (the values that access rules test), for rules that have no scenarios. */
export const asFacts: ShowCounterexample = (prover, { counterexample }) => factLines(prover, counterexample)

const indented = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map((line) => `    ${line}`)

/** The maximum number of failed cases that a report lists by name. */
const mostNamed = 5

/**
 * Returns a report on proofs of access statements: one line per statement, and the smallest counterexample of each
 * false statement.
 */
export const proofReport = (prover: Prover, proofs: ReadonlyArray<Proof>, show: ShowCounterexample): string =>
  [
    ...proofs.flatMap((proof) => {
      const { cases, failing, holds, statement } = proof
      const cited = `${statement.text} (line ${statement.line}, ${cases} ${cases === 1 ? "case" : "cases"})`
      if (holds) return [`true   ${cited}`]
      const more = failing.length > mostNamed ? `, and ${failing.length - mostNamed} more` : ""
      return [
        `false  ${cited}`,
        `  false for ${failing.slice(0, mostNamed).join(", ")}${more}`,
        ...indented(show(prover, proof))
      ]
    }),
    `${proofs.filter(({ holds }) => holds).length} of ${proofs.length} statements are true`
  ].join("\n")

/** The output formats of a comparison of access rules. */
export const ruleDiffFormats = ["text", "markdown"] as const

/**
 * Returns a comparison of two sets of access rules: each action with changed answers, and the smallest request that
 * shows the change.
 */
export const ruleDiff = (
  changes: ReadonlyArray<RuleChange>,
  { after, before }: { readonly before: Prover; readonly after: Prover },
  shows: { readonly before: ShowCounterexample; readonly after: ShowCounterexample },
  format: (typeof ruleDiffFormats)[number] = "text"
): string => {
  if (changes.length === 0) return "no request changes its answer"
  const isText = format === "text"
  const block = (title: string, lines: ReadonlyArray<string>) =>
    isText ? [title, ...indented(lines)] : [`**${title}**`, "", "```access", ...lines, "```", ""]
  return [
    ...changes.flatMap(({ action, gains, loses }) => {
      const found = (request: typeof gains) => ({
        counterexample: request === undefined ? [] : [request],
        statement: { form: "never" as const }
      })
      return [
        ...(gains === undefined
          ? []
          : block(`+ ${action}: only the new rules allow`, shows.after(after, found(gains)))),
        ...(loses === undefined
          ? []
          : block(`- ${action}: only the old rules allow`, shows.before(before, found(loses))))
      ]
    }),
    changes.length === 1 ? "1 action changes its answers" : `${changes.length} actions change their answers`
  ].join("\n")
}
