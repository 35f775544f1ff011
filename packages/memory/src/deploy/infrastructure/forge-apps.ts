import { ForgeAppStore } from "@slipway/domain/deploy/infrastructure"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { Tables } from "../base/tables.ts"

/** Installations of git-hosting apps in memory. */
export const forgeAppStore = Layer.effect(
  ForgeAppStore,
  Effect.map(Tables, ({ database, forgeApp }) => collection(database, forgeApp))
)
