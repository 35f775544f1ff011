import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { type FileAnalyser, formatScenarios, type Problem, scenarioWords, type Word } from "@slipway/testkit/access"
import { formatDeployScenario, isDeployScenario } from "@slipway/testkit/deploy-access"
import type { CodeLens, CompletionItem, Diagnostic, Hover } from "vscode-languageserver"
import { AccessFile } from "./AccessFile.ts"
import { completionsAt } from "./completion.ts"
import { deployCompletionsAt } from "./deploy/completion.ts"
import { DeployFile } from "./deploy/DeployFile.ts"
import { deployExpectations, runDeployExpectations } from "./deploy/expectations.ts"
import { deployHoverAt } from "./deploy/hover.ts"
import { failureOf, lensesOf, lensOf, type Outcome, runExpectations } from "./expectations.ts"
import { hoverAt } from "./hover.ts"

/** An open scenario file in one version, of the forge or of the deployment platform. */
export interface ScenarioFile {
  readonly problems: ReadonlyArray<Problem>
  readonly completionsAt: (line: number, character: number) => Array<CompletionItem>
  readonly hoverAt: (line: number, character: number) => Hover | undefined
  /** Returns the place where the name at a position is defined. */
  readonly definitionAt: (line: number, character: number) => (Word & { readonly line: number }) | undefined
  readonly lenses: (uri: string, outcomes: ReadonlyArray<Outcome>) => Array<CodeLens>
  /** Runs the expectations of a line, or all. Throws the problem of a file that cannot be parsed. */
  readonly run: (line?: number) => ReadonlyArray<Outcome>
  readonly failureOf: (outcome: Outcome) => Diagnostic
  /** Returns the formatted text; undefined for an invalid file. */
  readonly formatted: () => string | undefined
  readonly text: string
  readonly range: AccessFile["range"]
}

const hasErrors = (problems: ReadonlyArray<Problem>): boolean => problems.some(({ severity }) => severity === "error")

const ofForge = (text: string, analyser: FileAnalyser, policy: AnyPolicySet | undefined): ScenarioFile => {
  const file = new AccessFile(text, analyser)
  return {
    text,
    range: file.range,
    problems: file.analysis.problems,
    completionsAt: (line, character) => completionsAt(file, line, character),
    hoverAt: (line, character) => hoverAt(file, line, character),
    definitionAt: (line, character) => {
      const mark = file.markAt(line, character)
      return mark === undefined ? undefined : file.definitionOf(mark, line)
    },
    lenses: (uri, outcomes) => lensesOf(file, uri, outcomes),
    run: (line) => runExpectations(file, policy, line),
    failureOf: (outcome) => failureOf(file, outcome),
    formatted: () => (hasErrors(file.analysis.problems) ? undefined : formatScenarios(text))
  }
}

const ofDeploy = (text: string): ScenarioFile => {
  const file = new DeployFile(text)
  const lines = text.split(/\r?\n/)
  const last = lines.length - 1
  const wholeLine = (line: number) => ({
    start: { line, character: 0 },
    end: { line, character: file.line(line).length }
  })
  return {
    text,
    range: { start: { line: 0, character: 0 }, end: { line: last, character: file.line(last).length } },
    problems: file.problems,
    completionsAt: (line, character) => deployCompletionsAt(file, line, character),
    hoverAt: (line, character) => deployHoverAt(file, line, character),
    definitionAt: (line, character) => file.definitions.get(file.wordAt(line, character)?.text ?? ""),
    lenses: (uri, outcomes) =>
      deployExpectations(file).map((line) =>
        lensOf(
          wholeLine(line),
          outcomes.find((each) => each.line === line),
          uri,
          line
        )
      ),
    run: (line) => runDeployExpectations(file, line),
    failureOf: ({ expected, got, line, path }) => ({
      range: wholeLine(line),
      severity: 1,
      source: "slipway",
      code: "expectation",
      message: [`expected ${expected}, got ${got}`, ...path].join("\n")
    }),
    formatted: () =>
      file.problems.some(({ severity }) => severity === "error") ? undefined : formatDeployScenario(text)
  }
}

/** Reads an open file; its lines decide whether it is a scenario of the forge or of the deployment platform. */
export const scenarioFileOf = (text: string, analyser: FileAnalyser, policy?: AnyPolicySet): ScenarioFile =>
  isDeployScenario(text, scenarioWords(analyser.rulebook)) ? ofDeploy(text) : ofForge(text, analyser, policy)
