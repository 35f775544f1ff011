import {
  deployMatrixOf,
  diffDeployWorlds,
  explainInDeployWorld,
  readDeployScenario
} from "@slipway/testkit/deploy-access"
import { Effect, Option } from "effect"
import { userError } from "../forge/failures.ts"
import { attempt, inFile, textOf } from "./files.ts"

/** Rejects flags that apply only to a forge. */
export const forgeOnly = (service: "forge" | "deploy", flags: Readonly<Record<string, Option.Option<unknown>>>) => {
  const forgeFlag = Object.entries(flags).find(([, value]) => Option.isSome(value))
  return service === "forge" || forgeFlag === undefined
    ? Effect.void
    : Effect.fail(userError(`--${forgeFlag[0]} applies only to a forge: remove it, or use --service forge`))
}

const worldIn = Effect.fnUntraced(function* (file: string) {
  const text = yield* textOf(file)
  return yield* inFile(file, () => readDeployScenario(text))
})

/** Explains a question about the world of a deploy scenario. */
export const deployExplain = Effect.fnUntraced(function* (file: string, question: ReadonlyArray<string>) {
  const world = yield* worldIn(file)
  return yield* attempt(() => explainInDeployWorld(world, question.join(" ").split(/[\s,]+/)).join("\n"))
})

/** Returns the permission matrix of a deploy scenario. */
export const deployMatrix = Effect.fnUntraced(function* (file: string, actions: ReadonlyArray<string> | undefined) {
  const world = yield* worldIn(file)
  return yield* attempt(() => deployMatrixOf(world, actions))
})

/** Returns the access that changes between two deploy scenarios. */
export const deployDiff = Effect.fnUntraced(function* (before: string, after: string) {
  return diffDeployWorlds(yield* worldIn(before), yield* worldIn(after))
})
