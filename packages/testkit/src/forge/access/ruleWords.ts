import { toProse, type Vocabulary } from "@slipway/access"
import { entryChecks, type Rulebook } from "@slipway/domain/forge/access"
import type { RefusalReason } from "@slipway/domain/forge/code"

/** A rule that an expectation can name: its condition in words, and its reason. */
export interface RuleWords {
  readonly id: string
  /** The condition in words. Undefined for a branch protection, and for a check that combines several rules. */
  readonly when: string | undefined
  readonly because: string
}

/** The reasons why a branch protection denies a push, by the name of the rule. */
const protectionReasons: Readonly<Record<string, string>> = {
  "default-branch": "the default branch cannot be deleted",
  deletion: "the protection does not allow to delete the branch",
  push: "the protection does not allow the caller to push",
  "force-push": "the protection does not allow the caller to rewrite the branch",
  lent: "the caller may only push to branches that pull requests lend to them"
} satisfies { readonly [R in RefusalReason]?: string }

/** Returns the rules that can allow or deny an action, by rule id. */
export const rulesOfAction = (rulebook: Rulebook, action: string): ReadonlyMap<string, RuleWords> => {
  const vocabulary: Vocabulary = rulebook.vocabularies[rulebook.actionOf(action).on] ?? {}
  const found = new Map<string, RuleWords>()
  for (const { because, forbids, grants, id } of rulebook.checksOf(action)) {
    if (!found.has(id)) found.set(id, { id, when: undefined, because })
    for (const rule of [...grants, ...forbids]) {
      found.set(rule.id, { id: rule.id, when: toProse(rule.when, vocabulary), because: rule.because })
    }
  }
  return found
}

/** Returns the rules that can allow or deny an operation on a branch, by rule id, with their descriptions. */
export const rulesOfBranches = (rulebook: Rulebook): ReadonlyMap<string, RuleWords> =>
  new Map([
    ...rulesOfAction(rulebook, "git.push"),
    ...Object.entries(protectionReasons).map(([reason, because]) => {
      const id = `protection.${reason}`
      return [id, { id, when: undefined, because }] as const
    })
  ])

/** Returns every rule that an expectation can name. */
export const allRules = (rulebook: Rulebook): ReadonlyMap<string, RuleWords> => {
  const found = new Map<string, RuleWords>(rulesOfBranches(rulebook))
  for (const { because, id } of entryChecks) found.set(id, { id, when: undefined, because })
  // Actions with the same guards on the same resource type have the same rules.
  const seen = new Set<string>()
  for (const [action, { access, asks, guards, on, publicOnly, scope }] of Object.entries(rulebook.tables.actions)) {
    const isCustom = rulebook.tables.checks[action] !== undefined
    const key = JSON.stringify([on, access, scope, guards, asks, publicOnly, isCustom && action])
    if (seen.has(key)) continue
    seen.add(key)
    for (const [id, rule] of rulesOfAction(rulebook, action)) if (!found.has(id)) found.set(id, rule)
  }
  return found
}
