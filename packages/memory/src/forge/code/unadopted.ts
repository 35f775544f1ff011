import { UnadoptedRepositories } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"

/** Finds no repositories to adopt: the simulation in memory has no folder for them. */
export const unadoptedRepositories = Layer.succeed(UnadoptedRepositories, {
  list: Effect.succeed([]),
  find: () => Effect.undefined,
  adopt: () => Effect.succeed(false),
  remove: () => Effect.succeed(false)
})
