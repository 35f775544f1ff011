import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { PolicySet } from "@slipway/domain/forge/access"
import type { AnyPolicySet } from "@slipway/domain/forge/base"
import { formatScenarios, readScenarios, type Scenario, scenarioWords } from "@slipway/testkit/access"
import {
  checkDeployScenario,
  DeployScenarioError,
  formatDeployScenario,
  isDeployScenario
} from "@slipway/testkit/deploy-access"
import { Effect, FileSystem, Option } from "effect"
import { Flag } from "effect/cli"
import { userError } from "../forge/failures.ts"

/** The module of custom access rules for scenarios. */
export const rulesFlag = Flag.String("rules").pipe(
  Flag.withDescription("A module that exports the access rules as `policy`"),
  Flag.optional
)

// The module may have its own copy of the library, so `instanceof` does not work.
const isPolicy = (value: unknown): value is AnyPolicySet =>
  typeof value === "object" && value !== null && "rulebook" in value && "at" in value

const clone = new URL("../../../../", import.meta.url).href

/** Loads a module. Outside of this clone, its imports resolve to published packages. */
const load = async (file: string): Promise<Record<string, unknown>> => {
  // Node 20 lacks hooks; it runs the published command, which has no sources to resolve.
  const hooks = process.getBuiltinModule("node:module").registerHooks?.({
    resolve: (specifier, context, next) => {
      if (context.parentURL?.startsWith(clone)) return next(specifier, context)
      return next(specifier, {
        ...context,
        conditions: context.conditions.filter((each) => each !== "@slipway/source")
      })
    }
  })
  try {
    return await import(pathToFileURL(resolve(file)).href)
  } finally {
    hooks?.deregister()
  }
}

/** Loads the rules of a module; `built-in` is the library's. */
export const policyIn = Effect.fnUntraced(function* (module: string) {
  if (module === "built-in") return PolicySet.builtIn as AnyPolicySet
  const loaded = yield* Effect.tryPromise({
    try: () => load(module),
    catch: (problem) => userError(`${module} can't be loaded: ${problem}`, problem)
  })
  return isPolicy(loaded.policy) ? loaded.policy : yield* userError(`${module} exports no PolicySet as \`policy\``)
})

/** Loads the rules of a flag; undefined if it is omitted. */
export const rulesOf = (rules: Option.Option<string>) =>
  Option.match(rules, { onNone: () => Effect.succeed(undefined), onSome: policyIn })

/** Reads a text file. */
export const textOf = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.mapError(files.readFileString(file), (problem) => userError(`${file} can't be read`, problem))
})

/** Reads the scenarios of a file, for custom rules if given. */
export const scenariosIn = Effect.fnUntraced(function* (file: string, policy?: AnyPolicySet) {
  const text = yield* textOf(file)
  return yield* Effect.try({
    try: () => readScenarios(file, text, policy),
    catch: (problem) => userError(problem instanceof Error ? problem.message : String(problem), problem)
  })
})

/** Reads one scenario of a file: the named one, or else the first. */
export const scenarioIn = Effect.fnUntraced(function* (file: string, name: string | undefined, policy?: AnyPolicySet) {
  const scenarios = yield* scenariosIn(file, policy)
  const found: Scenario | undefined =
    name === undefined ? scenarios[0] : scenarios.find((scenario) => scenario.name === name)
  if (found !== undefined) return found
  return yield* userError(name === undefined ? `${file} has no scenario` : `${file} has no scenario \`${name}\``)
})

/** Runs a function and reports its exception as a user error, about a file if one is given. */
export const attempt = <A>(work: () => A, file?: string) =>
  Effect.try({
    try: work,
    catch: (problem) => {
      const message = problem instanceof Error ? problem.message : String(problem)
      return userError(file === undefined ? message : `${file}: ${message}`)
    }
  })

/** Runs a function on a scenario file of deploy, and reports an invalid line as a user error with the file. */
export const inFile = <A>(file: string, work: () => A) =>
  Effect.try({
    try: work,
    catch: (problem) => {
      const message = problem instanceof Error ? problem.message : String(problem)
      return userError(problem instanceof DeployScenarioError ? `${file}:${message}` : message)
    }
  })

/** Formats a valid scenario file. Without a service, the lines of the file decide. */
export const formattedIn = (
  file: string,
  text: string,
  service: "forge" | "deploy" | undefined,
  policy: AnyPolicySet | undefined
) => {
  const { rulebook } = policy ?? PolicySet.builtIn
  const isDeploy = service === undefined ? isDeployScenario(text, scenarioWords(rulebook)) : service === "deploy"
  return inFile(file, () => {
    if (isDeploy) {
      checkDeployScenario(file, text)
      return formatDeployScenario(text)
    }
    readScenarios(file, text, policy)
    return formatScenarios(text)
  })
}
