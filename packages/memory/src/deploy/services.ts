import { ServiceStore } from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import { collection } from "../collection.ts"
import { placed, Tables } from "./tables.ts"

/** Services in memory. */
export const serviceStore = Layer.effect(
  ServiceStore,
  Effect.map(Tables, (tables) => collection(tables.database, tables.service, placed(tables)))
)
