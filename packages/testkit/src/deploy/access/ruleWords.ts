import { toProse } from "@slipway/access"
import { accessVocabulary } from "@slipway/domain/deploy/access"
import { type Action, policies } from "@slipway/domain/deploy/entry"
import type { RuleWords } from "../../forge/access/ruleWords.ts"

/** Returns the checks of an action in their order, each with its reason and the status of a refusal. */
export const deployChecksOf = (action: Action) =>
  policies[action].checks.map(({ answer, because, id }) => ({ id, because, status: answer.status }))

/** Returns the rules that can decide an action of deploy, by their names. */
export const deployRulesOf = (action: Action): ReadonlyMap<string, RuleWords> =>
  new Map(
    policies[action].checks.flatMap(({ forbids, grants }) =>
      [...grants, ...forbids].map(({ because, id, when }) => [
        id,
        { id, when: toProse(when, accessVocabulary), because }
      ])
    )
  )
