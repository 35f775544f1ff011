import { closest } from "@slipway/access/proof"
import { builtInRoles, capabilities } from "@slipway/domain/deploy/access"
import { actions } from "@slipway/domain/deploy/entry"
import type { Problem, Word } from "@slipway/testkit/access"
import {
  type DeployScenarioError,
  type DeployWorld,
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
    const whole = this.worldAbove(this.lines.length)
    readDeployScenario(
      this.lines.join("\n"),
      (world, { asked, fail }) => void questionOf(world, asked, fail),
      (problem) => problems.push(this.problemOf(problem, whole))
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
    const code = this.line(line).replace(/(^|\s)#.*$/, "")
    return [...code.matchAll(/->|[^\s,]+/g)].map(({ 0: text, index }) => ({
      text,
      start: index,
      end: index + text.length
    }))
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

  private problemOf({ line, why }: DeployScenarioError, world: DeployWorld): Problem {
    const words = this.words(line - 1)
    const named = /^`([^`]*)`/.exec(why)?.[1]
    const found = words.find(({ text }) => text === named) ?? words.find(({ text }) => text.includes(named ?? "\n"))
    const [first, last] = [words[0], words.at(-1)]
    const place = found ?? { start: first?.start ?? 0, end: last?.end ?? 0 }
    const suggestion = found === undefined ? undefined : closest(found.text, namesFor(why, world))
    const message = suggestion === undefined ? why : `${why}; did you mean \`${suggestion}\`?`
    return { line: line - 1, start: place.start, end: place.end, severity: "error", message, suggestion }
  }
}

/** Returns the names that the word of a problem can mean. */
const namesFor = (why: string, { groups, resources, roles, users }: DeployWorld): Iterable<string> => {
  if (why.includes("is not an action")) return Object.keys(actions)
  if (why.includes("is not a user or group")) return [...users, ...groups.keys()]
  if (why.includes("is not a user")) return users
  if (why.includes("is not a role")) return [...Object.keys(builtInRoles), ...roles.keys()]
  if (why.includes("is not a capability")) return capabilities
  if (why.includes("is not a resource") || why.includes("is not a place")) return resources.keys()
  return why.includes("is not expected here") ? Object.keys(deploySyntax) : []
}
