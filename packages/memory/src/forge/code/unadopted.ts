import { UnadoptedRepositories } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"

/** Knows no git repository that waits: beside a memory, nobody can put one. */
export const unadoptedRepositories = Layer.succeed(UnadoptedRepositories, {
  list: Effect.succeed([]),
  find: () => Effect.undefined,
  adopt: () => Effect.succeed(false),
  remove: () => Effect.succeed(false)
})
