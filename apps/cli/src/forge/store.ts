import { SiteSettings } from "@slipway/domain/forge/base"
import { layerBackground } from "@slipway/forge/background"
import { storeSettings } from "@slipway/forge-app/config"
import { platform } from "@slipway/forge-app/platform"
import { Effect, Layer } from "effect"
import { explainFailures, userError } from "./failures.ts"

/** The services of commands: the stores of the configured database, and their dependencies. */
export type Store = Layer.Success<ReturnType<typeof platform>> | SiteSettings

const opened = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* storeSettings
    if (settings.database._tag === "Memory") {
      return yield* userError(
        "`memory:` stores nothing: set `FORGE_DATABASE_URL` to the database address of the service"
      )
    }
    return Layer.merge(platform(settings), SiteSettings.layer())
  })
)

/** Runs a command on the configured database, with the same environment variables as the service. */
export const onStore = <A, E extends { readonly _tag: string; readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>
) => explainFailures(Effect.provide(effect, Layer.provideMerge(layerBackground, opened)))
