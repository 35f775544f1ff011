import { closest } from "@slipway/access/proof"
import type { Problem, Word } from "@slipway/testkit/access"
import {
  type DeployLine,
  type DeployScenarioError,
  type DeployWorld,
  deployRuleNames,
  deployWordsOf,
  questionOf,
  readDeployScenario
} from "@slipway/testkit/deploy-access"
import { deploySyntax } from "./syntax.ts"

/** A name that a line of a world defines, with its columns. */
export interface DeployDefinition extends Word {
  readonly line: number
}

/** An open scenario file of the deployment platform in one version. */
export class DeployFile {
  readonly text: string
  readonly problems: ReadonlyArray<Problem>
  readonly definitions: ReadonlyMap<string, DeployDefinition>
  private readonly lines: ReadonlyArray<string>

  constructor(text: string) {
    this.text = text
    this.lines = text.split(/\r?\n/)
    const problems: Array<Problem> = []
    readDeployScenario(
      text,
      (world, line) => {
        const { action } = questionOf(world, line.asked, line.fail)
        problems.push(...this.unknownRules(line, deployRuleNames(action)))
      },
      (problem) => problems.push(problemOf(problem))
    )
    this.problems = problems
    const definitions = new Map<string, DeployDefinition>()
    for (const line of this.lines.keys()) {
      const [first, name] = this.words(line)
      const isDefinition = first !== undefined && Object.hasOwn(deploySyntax, first.text) && first.text !== "grant"
      if (isDefinition && name !== undefined && !definitions.has(name.text))
        definitions.set(name.text, { ...name, line })
    }
    this.definitions = definitions
  }

  /** Returns a line; empty if there is no such line. */
  line(line: number): string {
    return this.lines[line] ?? ""
  }

  /** Returns the words of a line without its comment; a comma separates words too. */
  words(line: number): ReadonlyArray<Word> {
    return deployWordsOf(this.line(line))
  }

  /** Returns the word at a position. */
  wordAt(line: number, character: number): Word | undefined {
    return this.words(line).find(({ end, start }) => start <= character && character <= end)
  }

  /** Returns the world of the lines above a line; skips invalid lines. */
  worldAbove(line: number): DeployWorld {
    const skip = () => undefined
    return readDeployScenario(this.lines.slice(0, line).join("\n"), skip, skip)
  }

  /** Returns a warning for each expected rule that cannot decide the action. */
  private unknownRules({ by, line }: DeployLine, known: ReadonlySet<string>): ReadonlyArray<Problem> {
    const words = this.words(line - 1)
    const first = words.findIndex(({ text }) => text === "by")
    return by.flatMap((rule, at) => {
      const word = words[first + 1 + at]
      if (known.has(rule) || word === undefined) return []
      const suggestion = closest(rule, known)
      const hint = suggestion === undefined ? "" : `; did you mean \`${suggestion}\`?`
      const message = `\`${rule}\` is not a rule of this action${hint}`
      return [{ line: line - 1, start: word.start, end: word.end, severity: "warning", message, suggestion }]
    })
  }
}

const problemOf = ({ end, line, start, suggestion, why }: DeployScenarioError): Problem => ({
  line: line - 1,
  start,
  end,
  severity: "error",
  message: why,
  suggestion
})
