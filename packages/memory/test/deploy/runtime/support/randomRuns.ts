import { Arbitrary, Cause, Effect, type Layer, type Schema, type Scope } from "effect"
import { seed } from "../../../../../../scripts/vitest/runs.ts"
import { world } from "./support.ts"

/** The number of random runs, and the number of commands in each. */
export interface RandomRunOptions {
  readonly runs: number
  readonly minLength?: number
  readonly maxLength: number
}

/** Runs random command sequences, each in a new world, and reports the smallest failing one. */
export const describeRandomRuns = Effect.fnUntraced(function* <Command, E>(
  command: Schema.Codec<Command, unknown>,
  { runs, ...lengths }: RandomRunOptions,
  check: (commands: ReadonlyArray<Command>) => Effect.Effect<void, E, Layer.Success<typeof world> | Scope.Scope>
) {
  const result = yield* Arbitrary.checkEffect(
    Arbitrary.array(Arbitrary.schema(command), lengths),
    (commands) =>
      check(commands).pipe(
        Effect.as(true),
        Effect.provide(world, { local: true }),
        Effect.scoped,
        Effect.catchCause((cause) => Effect.fail(Cause.squash(cause)))
      ),
    { runs, size: 30, seed }
  )
  return Arbitrary.formatCheckFailure(result)
})
