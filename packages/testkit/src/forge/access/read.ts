import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { parse } from "yaml"
import { bareLine, WorldError } from "../parse.ts"
import { scenariosOf } from "./document.ts"
import { parseScenarios, type Scenario } from "./Scenario.ts"

/** Reports the scenario file that can't be read, with the location and the reason. */
export class ScenarioFileError extends Error {
  constructor(file: string, why: string) {
    super(`${file}${why}`)
    this.name = "ScenarioFileError"
  }
}

const lineOf = (text: string, problem: unknown): string => {
  const at = problem instanceof WorldError ? text.split("\n").findIndex((each) => bareLine(each) === problem.line) : -1
  return at < 0 ? "" : `:${at + 1}`
}

/** Reads the scenarios of a file, optionally with custom rules: YAML or JSON by its extension, otherwise text. */
export const readScenarios = (file: string, text: string, policy?: AnyPolicySet): ReadonlyArray<Scenario> => {
  try {
    // Aliases are limited, so that a few lines cannot expand to gigabytes.
    if (/\.(ya?ml|json)$/.test(file)) return scenariosOf(parse(text, { maxAliasCount: 100 }), policy)
    return parseScenarios(text, file, policy)
  } catch (problem) {
    throw new ScenarioFileError(
      file,
      `${lineOf(text, problem)}: ${problem instanceof Error ? problem.message : problem}`
    )
  }
}
