import { toProse } from "@slipway/access"
import { accessVocabulary } from "@slipway/domain/deploy/access"
import { type Action, policies } from "@slipway/domain/deploy/entry"

/** A rule that can decide an expectation of deploy: its condition in words, and its reason. */
export interface DeployRule {
  readonly id: string
  readonly when: string
  readonly because: string
}

/** Returns the checks of an action in their order, each with its reason and the status of a refusal. */
export const deployChecksOf = (action: Action) =>
  policies[action].checks.map(({ answer, because, id }) => ({ id, because, status: answer.status }))

/** Returns the rules that can decide an action of deploy, by their names. */
export const deployRulesOf = (action: Action): ReadonlyMap<string, DeployRule> =>
  new Map(
    policies[action].checks.flatMap(({ forbids, grants }) =>
      [...grants, ...forbids].map(({ because, id, when }) => [
        id,
        { id, when: toProse(when, accessVocabulary), because }
      ])
    )
  )

const ruleNames = new Map<Action, ReadonlySet<string>>()

/** Returns the names of the rules and checks that can decide an action of deploy. */
export const deployRuleNames = (action: Action): ReadonlySet<string> => {
  const known = ruleNames.get(action)
  if (known !== undefined) return known
  const names = new Set(
    policies[action].checks.flatMap(({ forbids, grants, id }) => [
      id,
      ...[...grants, ...forbids].map((rule) => rule.id)
    ])
  )
  ruleNames.set(action, names)
  return names
}
