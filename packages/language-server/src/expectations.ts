import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { type Checked, checkScenarios, parseScenarios, type Scenario } from "@slipway/testkit/access"
import type { CodeLens, Diagnostic, Range } from "vscode-languageserver"
import { type AccessFile, rangeOf } from "./AccessFile.ts"

/** The name of the editor command that runs the expectations of a line. */
export const runCommand = "slipway.access.run"

/** The result of one expectation of a file. */
export interface Outcome {
  /** The line of the expectation, from 0. */
  readonly line: number
  /** The name of the scenario, or of the file if it has no scenarios. */
  readonly scenario: string
  readonly passed: boolean
  readonly expected: string
  readonly got: string
  /** The steps of an unexpected decision. */
  readonly path: ReadonlyArray<string>
}

const answerText = ({ answer, by }: { readonly answer: string; readonly by: ReadonlyArray<string> }): string =>
  `${answer === "" ? "nothing" : answer}${by.length === 0 ? "" : ` by ${by.join(" ")}`}`

/** Returns the line numbers of a scenario's expectations, in the order in which they are checked. */
const linesOf = (file: AccessFile, at: number): ReadonlyArray<number> => {
  const [shared, ...own] = file.analysis.parts
  return [shared, own[at]].flatMap((part) => {
    if (part === undefined) return []
    const lines = Array.from({ length: part.end - part.first }, (_, offset) => part.first + offset)
    return lines.filter((line) => file.read(line)?.question !== undefined)
  })
}

/**
 * Runs the expectation of a line; if the line is the title of a scenario, all of its expectations.
 *
 * Without a line, runs all expectations of the file. Throws if the file cannot be parsed.
 */
export const runExpectations = (
  file: AccessFile,
  policy: AnyPolicySet | undefined,
  line?: number
): ReadonlyArray<Outcome> => {
  const scenarios = parseScenarios(file.text, "", policy)
  const part = line === undefined ? -1 : file.analysis.parts.findIndex(({ end, first }) => line >= first && line < end)
  const isTitle = part > 0 && file.analysis.parts[part]?.first === line
  return scenarios.flatMap((scenario: Scenario, at) => {
    const lines = linesOf(file, at)
    const selected = scenario.questions.flatMap((question, place) => {
      const own = lines[place] ?? 0
      const isSelected = line === undefined || (isTitle ? part - 1 === at : own === line)
      return isSelected ? [{ question, own }] : []
    })
    const checked = checkScenarios([{ ...scenario, questions: selected.map(({ question }) => question) }])
    return checked.map(({ got, passed, path, question }: Checked, place) => ({
      line: selected[place]?.own ?? 0,
      scenario: scenario.name,
      passed,
      expected: answerText(question),
      got: answerText(got),
      path
    }))
  })
}

const lens = (range: Range, title: string, uri: string, line: number): CodeLens => ({
  range,
  command: { title, command: runCommand, arguments: [uri, line] }
})

/** Returns the lens that runs an expectation, with its result as title after a run. */
export const lensOf = (range: Range, outcome: Outcome | undefined, uri: string, line: number): CodeLens =>
  lens(range, outcome === undefined ? "Run expectation" : outcome.passed ? "✓ met" : `✗ ${outcome.got}`, uri, line)

/** Returns the code lenses that run expectations; after a run, the title of a lens is the result. */
export const lensesOf = (file: AccessFile, uri: string, outcomes: ReadonlyArray<Outcome>): Array<CodeLens> => {
  const { lines, parts } = file.analysis
  const titles = parts.slice(1).map(({ end, first }) => {
    const count = lines.slice(first, end).filter(({ question }) => question !== undefined).length
    return lens(rangeOf(first, { start: 0, end: file.line(first).length }), `Run ${count} expectations`, uri, first)
  })
  const known = new Map<number, Outcome>()
  for (const outcome of outcomes) if (known.get(outcome.line)?.passed !== false) known.set(outcome.line, outcome)
  const questions = lines.flatMap(({ question }, line) => {
    if (question === undefined) return []
    return [lensOf(rangeOf(line, { start: 0, end: file.line(line).length }), known.get(line), uri, line)]
  })
  return [...titles, ...questions].sort((one, other) => one.range.start.line - other.range.start.line)
}

/** Converts a failed expectation to an editor diagnostic, with the steps of the access decision. */
export const failureOf = (file: AccessFile, { expected, got, line, path, scenario }: Outcome): Diagnostic => ({
  range: rangeOf(line, { start: file.read(line)?.question?.answerAt ?? 0, end: file.line(line).length }),
  severity: 1,
  source: "slipway",
  code: "expectation",
  message: [`expected ${expected}, got ${got}${scenario === "" ? "" : ` in “${scenario}”`}`, ...path].join("\n")
})
