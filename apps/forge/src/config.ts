import { listeningSettings } from "@slipway/http/node"
import { DatabaseAddress } from "@slipway/sql"
import { Effect } from "effect"

/** Reads the settings of the service from the environment; docs/operations.md has them. */
export const settings = Effect.gen(function* () {
  const database = yield* DatabaseAddress.setting("forge")
  return { ...(yield* listeningSettings("FORGE_PORT", 3000)), database }
})

/** The settings of the service. */
export type Settings = Effect.Success<typeof settings>
