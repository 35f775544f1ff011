import { closest } from "@slipway/access/proof"
import { Explanations } from "@slipway/deploy/entry"
import { builtInRoles } from "@slipway/domain/deploy/access"
import { teamOf } from "@slipway/domain/deploy/identity"
import { type DeployQuestion, decideQuestion, factsOfQuestion, questionOf } from "./question.ts"
import type { DeployWorld, InvalidLine } from "./world.ts"

const fail = ({ known = [], why, word }: InvalidLine): never => {
  const suggestion = word === undefined ? undefined : closest(word, known)
  throw new Error(suggestion === undefined ? why : `${why}; did you mean \`${suggestion}\`?`)
}

/** Returns the name of a resource, followed by the names of its environment, project and team. */
const placesAbove = (world: DeployWorld, object: string): ReadonlyArray<string> => {
  const { place, type } =
    world.resources.get(object) ?? fail({ why: `\`${object}\` is not a resource of the scenario` })
  const above = [place.resource, place.environment, place.project, world.teamName(place.teamId)]
  return [...new Set([...(type === "server" ? [] : [object]), ...above])].filter((name) => name !== undefined)
}

/** Returns the names of the teams that can allow a platform action: the team of the caller, and the root team. */
const teamsOf = (world: DeployWorld, { user }: DeployQuestion): ReadonlyArray<string> => [
  ...new Set([world.teamName(teamOf(world.caller(user).access)), "root"])
]

/**
 * Explains the answer to an access question: the decision with its steps, and, for a denied action, the smallest grant
 * on each place that would allow it.
 */
export const explainDeployQuestion = (world: DeployWorld, question: DeployQuestion) => {
  const explained = Explanations.explanationOf(question.action, factsOfQuestion(world, question))
  const places = question.object === undefined ? teamsOf(world, question) : placesAbove(world, question.object)
  const changes = (explained.allowed ? [] : places).flatMap((on) => {
    const role = Object.entries(builtInRoles).find(
      ([, capabilities]) => decideQuestion(world, question, [world.grantOn(on, capabilities)]).allowed
    )
    return role === undefined ? [] : [`grant ${question.user} ${role[0]} ${on}`]
  })
  return { ...explained, changes }
}

/**
 * Explains the answer to an access question, such as `bob application.deploy shop/production/web`.
 *
 * The result has lines of text: the answer with the deciding rules, the steps of the decision, and, for a denied
 * action, the smallest grant on each place that would allow it.
 */
export const explainInDeployWorld = (world: DeployWorld, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { changes, decision, steps } = explainDeployQuestion(world, questionOf(world, words, fail))
  const answer = decision.allowed ? "allowed" : String(decision.answer.status)
  return [
    `${answer} by ${decision.by.join(" ")}`,
    ...steps.map(({ check, facts, passed, rules }) => {
      const because = passed ? rules : facts
      return `${passed ? "passes" : "stops"} ${check}${because.length === 0 ? "" : ` (${because.join("; ")})`}`
    }),
    ...changes.map((change) => `would change it: ${change}`)
  ]
}
