import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { parseQuestions, parseWorld, type Question } from "../parse.ts"
import type { World } from "../World.ts"
import { bareLine } from "../worldLine.ts"

/** An access scenario: a world (users, resources and permissions), and access questions with the expected answers. */
export interface Scenario {
  readonly name: string
  readonly world: World
  readonly questions: ReadonlyArray<Question>
}

interface Part {
  readonly name: string
  readonly things: Array<string>
  readonly asked: Array<string>
}

/**
 * Reads scenarios from text. Each line is a resource of the world or an access question.
 *
 * Each line `scenario <name>` starts a scenario. Lines before the first such line belong to every scenario. A text
 * without such a line is one scenario, called `name`.
 */
export const parseScenarios = (text: string, name = "access", policy?: AnyPolicySet): ReadonlyArray<Scenario> => {
  const common: Part = { name, things: [], asked: [] }
  const parts: Array<Part> = []
  for (const line of text.split("\n").map(bareLine)) {
    const title = /^scenario\s+(.+)$/.exec(line)?.[1]
    if (title !== undefined) {
      parts.push({ name: title, things: [], asked: [] })
      continue
    }
    const part = parts.at(-1) ?? common
    ;(line.includes("->") ? part.asked : part.things).push(line)
  }
  return (parts.length === 0 ? [{ ...common, things: [], asked: [] }] : parts).map((part) => {
    const world = parseWorld([...common.things, ...part.things].join("\n"), policy)
    return {
      name: part.name,
      world,
      questions: parseQuestions([...common.asked, ...part.asked].join("\n"), world.tokens)
    }
  })
}
