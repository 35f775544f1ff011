import { compareRules, Prover, type Theory } from "@slipway/access/proof"
import { deployTheory } from "@slipway/domain/deploy/entry"
import { PolicySet, theoryOf } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import {
  asFacts,
  asScenario,
  type RuleService,
  readRules,
  ruleDiff,
  type ruleDiffFormats,
  type ShowCounterexample
} from "@slipway/testkit/access"
import { Effect } from "effect"
import { userError } from "../forge/failures.ts"
import { attempt, policyIn, textOf } from "./files.ts"

/** A version of the rules of a service, and the function that shows its counterexamples. */
export interface RuleVersion {
  readonly theory: Theory
  readonly show: ShowCounterexample
}

/** Returns the rules of a service that this program contains, or the custom rules of a forge. */
export const versionOf = (service: RuleService, policy: AnyPolicySet = PolicySet.builtIn): RuleVersion =>
  service === "forge"
    ? { theory: theoryOf(policy.rulebook), show: asScenario(policy) }
    : { theory: deployTheory(), show: asFacts }

/** Returns the rules in a JSON text that `slipway access rules` printed. */
const versionIn = (service: RuleService, text: string): RuleVersion => ({
  theory: readRules(service, text),
  show: asFacts
})

/** Compares two versions of rules by the requests that change their answer. */
export const compareVersions = (
  before: RuleVersion,
  after: RuleVersion,
  format: (typeof ruleDiffFormats)[number]
): string =>
  ruleDiff(
    compareRules(before.theory, after.theory),
    { before: new Prover(before.theory), after: new Prover(after.theory) },
    { before: before.show, after: after.show },
    format
  )

/** Loads the rules that `--rules` names. */
export const versionNamed = Effect.fnUntraced(function* (service: RuleService, name: string) {
  if (name.endsWith(".json")) {
    const text = yield* textOf(name)
    return yield* attempt(() => versionIn(service, text), name)
  }
  if (service === "deploy" && name !== "built-in") {
    return yield* userError(
      `${name}: the rules of deploy are \`built-in\`, or a file .json of \`slipway access rules\``
    )
  }
  return versionOf(service, name === "built-in" ? undefined : yield* policyIn(name))
})
