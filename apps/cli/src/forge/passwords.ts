import { readFileSync } from "node:fs"
import { makeSecret } from "@slipway/domain"
import { passwordProblem } from "@slipway/domain/forge/identity"
import { Console, Effect } from "effect"
import { Flag } from "effect/cli"
import { userError } from "./failures.ts"

/** The source of a password. An argument would be visible to all users of the machine, so there is none. */
export const passwordFlag = Flag.Boolean("password-stdin").pipe(
  Flag.withDescription("Read the password from standard input; otherwise it is generated and printed once"),
  Flag.withDefault(false)
)

/** Reads standard input completely, without the final line break. */
export const readInput = Effect.sync(() => readFileSync(0, "utf8").replace(/\r?\n$/, ""))

const readPassword = Effect.gen(function* () {
  const password = yield* readInput
  const problem = passwordProblem(password)
  return problem === undefined ? password : yield* userError(`the password ${problem}`)
})

/** Reads a password from standard input or generates one, passes it to `use`, then prints a generated one. */
export const withPassword = Effect.fnUntraced(function* <A, E, R>(
  fromInput: boolean,
  use: (password: string) => Effect.Effect<A, E, R>
) {
  const password = yield* fromInput ? readPassword : makeSecret
  const result = yield* use(password)
  if (!fromInput) yield* Console.log(`password: ${password}`)
  return result
})
