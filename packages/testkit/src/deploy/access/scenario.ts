import { decideQuestion, questionOf } from "./question.ts"
import { deployWords, deployWordsOf, readDeployScenario } from "./world.ts"

/** An expectation of a scenario: the expected answer, and the deciding rules if the line names them. */
export interface DeployExpectation {
  readonly text: string
  readonly answer: string
  readonly by: ReadonlyArray<string>
}

/** The result of one expectation. */
export interface CheckedDeploy {
  readonly scenario: string
  /** The line of the expectation, from 1. */
  readonly line: number
  readonly question: DeployExpectation
  readonly got: { readonly answer: string; readonly by: ReadonlyArray<string> }
  readonly passed: boolean
  readonly path: ReadonlyArray<string>
}

/**
 * Checks an access scenario of the deployment platform. Its lines describe a world, or expectations such as `bob
 * application.deploy shop/production/web -> 403`.
 *
 * Lines that describe the world: `user ann` · `group ops ann bob` · `team acme` · `project shop in acme` · `environment
 * shop/production protected` · `application shop/production/web` · `role restarter view operate` · `grant ann developer
 * shop`.
 *
 * In an expectation, `ann with read application.read …` limits the abilities of the token. `#` starts a comment. Throws
 * `DeployScenarioError` with the line if the scenario is invalid.
 */
export const checkDeployScenario = (scenario: string, text: string): ReadonlyArray<CheckedDeploy> => {
  const checked: Array<CheckedDeploy> = []
  readDeployScenario(text, (world, { answer, asked, by, fail, line, text }) => {
    const decision = decideQuestion(world, questionOf(world, asked, fail))
    const got = { answer: decision.allowed ? "allowed" : String(decision.answer.status), by: decision.by }
    const passed = got.answer === answer && by.every((rule) => got.by.includes(rule))
    const path = decision.allowed ? [] : [decision.answer.message]
    checked.push({ scenario, line, question: { text, answer, by }, got, passed, path })
  })
  return checked
}

/**
 * Returns whether a text is a scenario of the deployment platform, and not of a forge: its first line that only one of
 * them has decides. `forgeWords` are the first words of the lines of a forge's scenario.
 */
export const isDeployScenario = (text: string, forgeWords: ReadonlyArray<string>): boolean => {
  const words: ReadonlyArray<string> = deployWords
  for (const line of text.split(/\r?\n/)) {
    const word = deployWordsOf(line)[0]?.text ?? ""
    const isOfDeploy = words.includes(word)
    if (isOfDeploy !== forgeWords.includes(word)) return isOfDeploy
  }
  return false
}
