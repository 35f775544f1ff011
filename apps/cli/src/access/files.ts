import { readScenarios, type Scenario } from "@slipway/testkit/access"
import { Effect, FileSystem } from "effect"
import { userError } from "../forge/failures.ts"

/** Reads the scenarios of a file. */
export const scenariosIn = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(files.readFileString(file), (problem) =>
    userError(`${file} can't be read`, problem)
  )
  return yield* Effect.try({
    try: () => readScenarios(file, text),
    catch: (problem) => userError(problem instanceof Error ? problem.message : String(problem), problem)
  })
})

/** Reads one scenario of a file: the one that is named, else the first. */
export const scenarioIn = Effect.fnUntraced(function* (file: string, name: string | undefined) {
  const scenarios = yield* scenariosIn(file)
  const found: Scenario | undefined =
    name === undefined ? scenarios[0] : scenarios.find((scenario) => scenario.name === name)
  if (found !== undefined) return found
  return yield* userError(name === undefined ? `${file} has no scenario` : `${file} has no scenario \`${name}\``)
})

/** Does what may throw what a person has to know. */
export const attempt = <A>(work: () => A) =>
  Effect.try({ try: work, catch: (problem) => userError(problem instanceof Error ? problem.message : String(problem)) })
