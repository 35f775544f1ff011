import { Arbitrary, Cause, Effect, type Layer, type Schema, type Scope } from "effect"
import { seed } from "../../../../../../scripts/vitest/runs.ts"
import { world } from "./support.ts"

/** How many lives are tried, and how much happens in each. */
export interface Lives {
  readonly runs: number
  readonly minLength?: number
  readonly maxLength: number
}

/** Tries lives in which commands happen in any order, each in a world of its own, and tells of the least that goes wrong. */
export const whateverHappens = Effect.fnUntraced(function* <Command, E>(
  command: Schema.Codec<Command, unknown>,
  { runs, ...lengths }: Lives,
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
