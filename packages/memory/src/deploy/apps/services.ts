import { ServiceStore } from "@slipway/domain/deploy/apps"
import { Effect, Layer } from "effect"
import { collection } from "../../collection.ts"
import { placed, Tables } from "../base/tables.ts"

/** Services in memory. */
export const serviceStore = Layer.effect(
  ServiceStore,
  Effect.map(Tables, (tables) => collection(tables.database, tables.service, placed(tables)))
)
