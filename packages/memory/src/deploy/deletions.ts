import { DeletionStore } from "@slipway/domain/deploy"
import { Effect, Layer } from "effect"
import { collection } from "../collection.ts"
import { Tables } from "./tables.ts"

/** Deletions in memory. */
export const deletionStore = Layer.effect(
  DeletionStore,
  Effect.map(Tables, ({ database, deletion }) => collection(database, deletion))
)
