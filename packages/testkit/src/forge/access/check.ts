import { changesBy, type Explanation, explanationBy } from "@slipway/domain/forge/access"
import { type Answered, askPure } from "../ask.ts"
import { rulebookIn } from "../customResources.ts"
import { factsOf } from "../facts.ts"
import type { Question } from "../parse.ts"
import { isBranchVerb } from "../pushes.ts"
import type { World } from "../World.ts"
import type { Scenario } from "./Scenario.ts"

/** The result of an expectation: the actual answer, with the deciding rules, or the error of the question. */
export interface Checked {
  readonly scenario: string
  readonly question: Question
  readonly got: Answered
  readonly passed: boolean
  /** The steps that led to an unexpected answer. */
  readonly path: ReadonlyArray<string>
}

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((each) => other.includes(each))

const namesIn = (answer: string): ReadonlyArray<string> => answer.split(", ").filter(Boolean)

/** The reason why an action is allowed or denied in a world, and the changes that would reverse the decision. */
export interface ExplainedIn extends Explanation<string> {
  readonly changes: ReadonlyArray<string>
}

/**
 * Explains the answer to an access question, even if the caller may not read the explanation. Returns undefined for
 * questions about lists.
 */
export const explainIn = (world: World, { action, asker, things }: Question): ExplainedIn | undefined => {
  const name = isBranchVerb(action) ? "git.push" : action
  const rulebook = rulebookIn(world)
  const { actions } = rulebook.tables
  const row = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (row === undefined) return undefined
  const facts = factsOf(world, asker, row.on, things)
  return { ...explanationBy(rulebook, name, facts), changes: changesBy(rulebook, name, facts) }
}

/** Returns the steps of an explanation, one per line. */
export const stepLines = ({ steps }: Pick<Explanation, "steps">): ReadonlyArray<string> =>
  steps.map(({ asks, because, passed, stage }) => {
    const reasons = because.length === 0 ? "" : ` (${because.join("; ")})`
    return `${passed ? "passes" : "stops"} ${stage}: ${asks}${reasons}`
  })

const check = (scenario: string, world: World, question: Question): Checked => {
  try {
    const got = askPure(world, question)
    const isAnswer =
      question.action === "lists"
        ? isSame(namesIn(got.answer), namesIn(question.answer))
        : got.answer === question.answer
    const passed = isAnswer && (question.by.length === 0 || isSame(got.by, question.by))
    const explained = passed ? undefined : explainIn(world, question)
    return { scenario, question, got, passed, path: explained === undefined ? [] : stepLines(explained) }
  } catch (problem) {
    const got = { answer: problem instanceof Error ? problem.message : String(problem), by: [] }
    return { scenario, question, got, passed: false, path: [] }
  }
}

/** Checks the questions of scenarios against the access rules, and returns the result of each. */
export const checkScenarios = (scenarios: ReadonlyArray<Scenario>): ReadonlyArray<Checked> =>
  scenarios.flatMap(({ name, questions, world }) => questions.map((question) => check(name, world, question)))
