import { UnadoptedRepositories } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"

/** Reports no repositories to adopt, because the simulation in memory has no repository folder. */
export const unadoptedRepositories = Layer.succeed(UnadoptedRepositories, {
  list: Effect.succeed([]),
  find: () => Effect.undefined,
  adopt: () => Effect.succeed(false),
  remove: () => Effect.succeed(false)
})
