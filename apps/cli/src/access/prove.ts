import { Prover, parseStatements, prove, StatementError } from "@slipway/access/proof"
import { deployTheory } from "@slipway/domain/deploy/entry"
import { PolicySet, theoryOf } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { asFacts, asScenario, proofReport } from "@slipway/testkit/access"

/** Decides the statements of a file, and returns the report with the number of false statements. */
export const proofs = (
  file: string,
  text: string,
  service: "forge" | "deploy",
  policy: AnyPolicySet = PolicySet.builtIn
): { readonly output: string; readonly unmet: number } => {
  if (service === "deploy" && policy !== PolicySet.builtIn) throw new Error("--rules are rules of a forge")
  const prover = new Prover(service === "forge" ? theoryOf(policy.rulebook) : deployTheory())
  try {
    const decided = parseStatements(text, prover.theory).map((statement) => prove(prover, statement))
    if (decided.length === 0) throw new Error(`${file} has no statement`)
    return {
      output: proofReport(prover, decided, service === "forge" ? asScenario(policy) : asFacts),
      unmet: decided.filter(({ holds }) => !holds).length
    }
  } catch (problem) {
    throw problem instanceof StatementError ? new Error(`${file}:${problem.message}`) : problem
  }
}
