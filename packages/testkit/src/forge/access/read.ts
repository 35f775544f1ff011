import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { parse } from "yaml"
import { WorldError } from "../worldLine.ts"
import { scenariosOf } from "./document.ts"
import { problemsOf } from "./problems.ts"
import { parseScenarios, type Scenario } from "./Scenario.ts"

/** A scenario file cannot be read; the message contains the location and the reason. */
export class ScenarioFileError extends Error {
  constructor(file: string, why: string) {
    super(`${file}${why}`)
    this.name = "ScenarioFileError"
  }
}

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

/** Returns the location and the reason of a parser error as text. */
const located = (text: string, error: unknown, policy: AnyPolicySet | undefined): string => {
  const [first] =
    error instanceof WorldError ? problemsOf(text, policy).filter(({ severity }) => severity === "error") : []
  return first === undefined ? `: ${messageOf(error)}` : `:${first.line + 1}:${first.start + 1}: ${first.message}`
}

/**
 * Reads the scenarios of a file, optionally with custom access rules. The extension selects YAML or JSON; other files
 * are in the text format.
 */
export const readScenarios = (file: string, text: string, policy?: AnyPolicySet): ReadonlyArray<Scenario> => {
  // Aliases are limited, so that a few lines cannot expand to gigabytes.
  if (/\.(ya?ml|json)$/.test(file)) {
    try {
      return scenariosOf(parse(text, { maxAliasCount: 100 }), policy)
    } catch (problem) {
      throw new ScenarioFileError(file, `: ${messageOf(problem)}`)
    }
  }
  try {
    return parseScenarios(text, file, policy)
  } catch (problem) {
    throw new ScenarioFileError(file, located(text, problem, policy))
  }
}
